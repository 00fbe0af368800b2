"""What the tokenizer knows: the declared names in all their spellings, the functions, the signs and the commands.

A vocabulary is built once for a set of names and cached. Plain text is cut into words, numbers and signs by one
expression for all vocabularies; the careful scan of anything else is one expression made of the names, when needed.
"""

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

from grader.maths.characters import GREEK, SUBSCRIPTS
from grader.maths.expression import FUNCTIONS, Constant, Expr, Symbol

Arity = Mapping[str, tuple[int, int | None]]

# spelling -> function; `pow`, `frac` and a logarithm with a base are brought to the tree's own nodes by the grammar
SPELLINGS: Mapping[str, str] = {
    **{name: name for name in FUNCTIONS},
    "ln": "log", "lg": "log10", "ceiling": "ceil", "Max": "max", "Min": "min", "Abs": "abs",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "pow": "pow", "frac": "frac",
}  # fmt: skip
_PYTHON = {"maximum": "max", "minimum": "min", "power": "pow"}  # met as np.maximum
INFINITE = frozenset(("oo", "inf", "infinity", "infty", "Inf", "Infinity", "∞", "\\infty"))
IN = frozenset(("∈", "in", "\\in"))
SPECIAL: Arity = {"pow": (2, 2), "frac": (2, 2), "log": (1, 2)}

_STYLE = r"\\(?:text(?:rm|it|bf)?|math(?:rm|bf|it|sf|tt)|operatorname|mbox|rm)\*?(?![A-Za-z])"
_SKIPPED = [
    *("\\text \\textrm \\textit \\textbf \\mathrm \\mathbf \\mathit \\mathsf \\mathtt \\operatorname").split(),  # noqa: SIM905
    *("\\mbox \\rm \\bf \\boxed \\displaystyle \\textstyle \\limits \\left \\right \\middle \\big \\Big").split(),  # noqa: SIM905
    *("\\bigg \\Bigg \\bigl \\bigr \\Bigl \\Bigr \\biggl \\biggr \\Biggl \\Biggr \\! \\, \\: \\; \\>").split(),  # noqa: SIM905
    *("\\quad", "\\qquad", "\\space", "\\thinspace", "\\ "),
]

NUMBER = (
    r"(?:[1-9]\d{0,2}(?:(?:,|\{,\}|,\\!)\d{3}(?!\d))+(?:\.\d*)?|\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+(?![\d.]))?"
)
POWER_FOLLOWS = r"(?=\s*(?:\^|\*\*|[⁺⁻⁰¹²³⁴-⁹]))"

# kinds of tokens that stand for themselves are their own sign; the others:
#   n number, s symbol or constant, f function, F function in LaTeX, Q \frac, x superscript, √ root, r relation,
#   i implication, w anything unknown, \n line end
_SIGNS: Mapping[str, tuple[str, object] | None] = {
    **{sign: (sign, sign) for sign in "+-*/|,%;\"$`^"},
    "**": ("^", "**"), "\\^": ("^", "^"), "\\_": ("_", "_"), "\\%": ("%", "%"), "\\$": ("w", "\\$"),
    "(": ("(", ")"), "[": ("(", "]"), "{": ("(", "}"), "\\{": ("(", "\\}"), "\\lbrace": ("(", "\\}"),
    "⌊": ("(", "⌋"), "\\lfloor": ("(", "⌋"), "⌈": ("(", "⌉"), "\\lceil": ("(", "⌉"),
    ")": (")", ")"), "]": (")", "]"), "}": (")", "}"), "\\}": (")", "\\}"), "\\rbrace": (")", "\\}"),
    "⌋": (")", "⌋"), "\\rfloor": (")", "⌋"), "⌉": (")", "⌉"), "\\rceil": (")", "⌉"),
    "\\lvert": ("|", "|"), "\\rvert": ("|", "|"), "\\vert": ("|", "|"), "\\mid": ("|", "|"),
    "\\(": ("$", "\\("), "\\)": ("$", "\\)"), "\\[": ("$", "\\["), "\\]": ("$", "\\]"), "$$": ("$", "$$"),
    "\\cdot": ("*", "·"), "\\times": ("*", "×"), "\\ast": ("*", "*"), "\\div": ("/", "÷"), "\\bullet": ("*", "·"),
    "\\frac": ("Q", 0), "\\dfrac": ("Q", 0), "\\tfrac": ("Q", 0), "\\cfrac": ("Q", 0), "√": ("√", "√"),
    "=": ("r", "="), "==": ("r", "=="), "<": ("r", "<"), ">": ("r", ">"), "<=": ("r", "<="), ">=": ("r", ">="),
    "=<": ("r", "<="), "!=": ("r", "!="), "<<": ("r", "<<"), ">>": ("r", ">>"), "->": ("r", "->"), "<>": ("r", "!="),
    "≤": ("r", "<="), "≥": ("r", ">="), "≠": ("r", "!="), "≈": ("r", "~"), "~": ("r", "~"), "~=": ("r", "~"),
    "≪": ("r", "<<"), "≫": ("r", ">>"), "≲": ("r", "<="), "≳": ("r", ">="), "→": ("r", "->"),
    "\\le": ("r", "<="), "\\leq": ("r", "<="), "\\leqslant": ("r", "<="), "\\ge": ("r", ">="), "\\geq": ("r", ">="),
    "\\geqslant": ("r", ">="), "\\lt": ("r", "<"), "\\gt": ("r", ">"), "\\ne": ("r", "!="), "\\neq": ("r", "!="),
    "\\ll": ("r", "<<"), "\\gg": ("r", ">>"), "\\gtrsim": ("r", ">="), "\\lesssim": ("r", "<="),
    "\\approx": ("r", "~"), "\\sim": ("r", "~"), "\\simeq": ("r", "~"), "\\to": ("r", "->"),
    "\\rightarrow": ("r", "->"),
    "⇒": ("i", "=>"), "⇔": ("i", "<=>"), "=>": ("i", "=>"), "<=>": ("i", "<=>"), "\\implies": ("i", "=>"),
    "\\Rightarrow": ("i", "=>"), "\\Longrightarrow": ("i", "=>"), "\\iff": ("i", "<=>"),
    "\\Leftrightarrow": ("i", "<=>"),
    "∞": ("w", "∞"), "\\infty": ("w", "∞"), "∪": ("w", "∪"), "∈": ("w", "∈"), "∅": ("w", "∅"),
    **dict.fromkeys(_SKIPPED),
}  # fmt: skip

_OPERATORS = r"<=>|\*\*|<=|>=|=<|==|=>|!=|<<|>>|<>|->|~=|\$\$|[-+*/^()\[\]{}|,%;<>=~\"$`⇒⇔≤≥≠≈≪≫≲≳→√∞∪∈∅⌊⌋⌈⌉]"
_WORDS = {"dot": ("*", "·"), "times": ("*", "×"), "approx": ("r", "~")}  # typst

# a text without backslashes and braces; a word may be a product of one-letter names
PLAIN = re.compile(rf"[ \t]*([A-Za-z_][A-Za-z0-9_]*|{NUMBER}|{_OPERATORS}|.|\n)")


class Vocabulary:
    """The names that exist, what scans them, and the token that each spelling stands for (None: skipped)."""

    def __init__(self, names: tuple[str, ...], functions: Mapping[str, str], arity: Arity) -> None:
        self.names, self.arity = names, arity
        self.known = _tokens(names, functions)
        self._functions = functions

    @cached_property
    def scan(self) -> re.Pattern[str]:
        """What takes any text apart, whatever the spellings of names in it; most texts are plain and don't need it."""
        return re.compile(_pattern(self.names, self._functions))

    @cached_property
    def letters(self) -> Mapping[str, tuple[str, object]]:
        """The tokens of the names of one letter with which no other spelling begins."""
        return {letter: ("s", Symbol(letter)) for letter in _single(self.names, self._functions)}

    @cached_property
    def lettering(self) -> str:
        """Those letters in one text."""
        return "".join(self.letters)

    @cached_property
    def words(self) -> Mapping[str, tuple[str, object] | None]:
        """The tokens of what stands for itself in a plain text; not those that begin with a declared name."""
        spellings = tuple(s for name in self.names for s in _aliases(name, self.names))
        hidden = [word for word in ("pi", *_WORDS) if word.startswith(spellings) and word not in spellings]
        return {word: token for word, token in self.known.items() if word not in hidden} if hidden else self.known

    def name(self, spelling: str) -> Expr | None:
        """The symbol of a declared name spelt with braces, LaTeX styles or Greek letters."""
        found = self.known.get(bare(spelling))
        return found[1] if found and found[0] == "s" else None  # type: ignore[return-value]


def bare(spelling: str) -> str:
    r"""The plain spelling of a name: T_\text{math} is T_math, λ is lambda, B₁ is B_1."""
    spelling = re.sub(_STYLE, "", spelling)
    spelling = re.sub(r"[\s{}\\]", "", spelling)
    spelling = re.sub("[₀-₉]+", lambda run: "_" + "".join(SUBSCRIPTS[digit] for digit in run[0]), spelling)
    return "".join(GREEK.get(character, character) for character in spelling)


@lru_cache(maxsize=512)
def vocabulary(names: tuple[str, ...], extra: tuple[tuple[str, tuple[int, int | None]], ...] = ()) -> Vocabulary:
    """The vocabulary of the declared names; `extra` are functions beyond those that anyone may use, with arities."""
    functions = {**SPELLINGS, **{name: name for name, _ in extra}}
    return Vocabulary(names, functions, {**FUNCTIONS, **SPECIAL, **dict(extra)})


def _tokens(names: tuple[str, ...], functions: Mapping[str, str]) -> dict[str, tuple[str, object] | None]:
    known = dict(_SIGNS)
    known |= _function_tokens(functions)
    for word, token in _WORDS.items():
        known[word] = token
    for name in ("pi", "π", "\\pi"):
        known[name] = ("s", Constant("pi"))
    for name in names:
        for spelling in _aliases(name, names):
            known[bare(spelling)] = known[spelling] = ("s", Symbol(name))
    return known


def _function_tokens(functions: Mapping[str, str]) -> dict[str, tuple[str, object]]:
    tokens: dict[str, tuple[str, object]] = {"log_": ("f", ("log_", "log_2")), "\\log_": ("F", ("log_", "\\log_2"))}
    for spelling, function in functions.items():
        tokens[spelling] = ("f", (function, spelling))
        if spelling != "frac":
            tokens["\\" + spelling] = ("F", (function, spelling))
    for spelling, function in _PYTHON.items():
        tokens[spelling] = ("w", spelling)
        for module in ("np.", "numpy."):
            tokens[module + spelling] = ("f", (function, module + spelling))
    return tokens


def _aliases(name: str, names: tuple[str, ...]) -> list[str]:
    """The name itself, and λ for lam and the like."""
    base, mark, index = name.partition("_")
    base = "lambda" if base == "lam" and "lambda" + mark + index not in names else base
    found = [name, base + mark + index]
    if base in GREEK.values():
        letter = next(sign for sign, word in GREEK.items() if word == base)
        found += [f"\\{base}{mark}{index}", letter + mark + index]
    elif base in GREEK:
        found += [GREEK[base] + mark + index, f"\\{GREEK[base]}{mark}{index}"]
    return [spelling for spelling in dict.fromkeys(found) if spelling == name or spelling not in names]


def _pattern(names: tuple[str, ...], functions: Mapping[str, str]) -> str:
    """One alternation, longest spelling first; what a single character decides comes first, for speed."""
    spellings = sorted((s for name in names for s in _aliases(name, names)), key=lambda s: (-len(s), s))
    words = sorted((word for word in (*functions, *_PYTHON) if word not in names), key=lambda s: (-len(s), s))
    first = [s for s in spellings if s.startswith(tuple(words))]  # a name such as logits, which begins like a function
    branches = [
        f"[()+/,{''.join(_single(names, functions))}]",
        *(_spelt(s) for s in first),
        _functions(words),
        *(_spelt(s) for s in spellings if s not in first),
        *(() if "pi" in names else (r"\\pi(?![A-Za-z])|π|pi",)),
        rf"(?<![A-Za-z_])(?:{'|'.join(_WORDS)})(?![A-Za-z0-9_])",
        _OPERATORS,
        r"\\(?:[A-Za-z]+|.)",
        "[⁺⁻⁰¹²³⁴-⁹]+",
    ]
    return rf"[ \t]*({branches[0]}|{NUMBER}|{'|'.join(branches[1:])}|.|\n)"


def _single(names: tuple[str, ...], functions: Mapping[str, str]) -> list[str]:
    """The names of one letter with which nothing else begins."""
    spellings = [s for name in names for s in _aliases(name, names)]
    heads = {word[0] for word in (*functions, *_PYTHON, *_WORDS, "numpy", "pi", "e") if word not in names}
    single = [s for s in spellings if len(s) == 1 and s.isascii() and s.isalpha() and s not in heads]
    return [s for s in single if sum(other.startswith(s) for other in spellings) == 1]


def _spelt(name: str) -> str:
    r"""All spellings of a name: T_math, T_{math}, T_\text{math}, {T}_{math}, \text{T}_{math}, \text{T_math}, T^2_math.

    The last is the square of T_math; the tokenizer takes it apart.
    """
    base, _, index = name.partition("_")
    base = re.escape(base) + ("(?![A-Za-z])" if base.startswith("\\") else "")
    if not index:
        return rf"{base}|{_STYLE}\s*\{{\s*{base}\s*\}}"
    whole = re.escape(index).replace("_", r"\\?_")
    styled = rf"{_STYLE}\s*(?:\{{\s*{whole}\s*\}}|{whole})"
    below = rf"\\?_\s*(?:{whole}|\{{\s*(?:{whole}|{styled})\s*\}}|{styled})"
    if index.isdigit():
        signs = "".join(sign for digit in index for sign in SUBSCRIPTS if SUBSCRIPTS[sign] == digit)
        below = rf"(?:{below}|{signs})"
    head = rf"(?:{base}|\{{\s*{base}\s*\}}|{_STYLE}\s*\{{\s*{base}\s*\}})"
    return rf"{head}(?:\s*\^\s*(?:\d|\{{[^{{}}]*\}})\s*)?{below}|{_STYLE}\s*\{{\s*{base}\\?_{whole}\s*\}}"


def _functions(words: list[str]) -> str:
    one = "|".join(map(re.escape, words))
    log = rf"(?:\\?log|{_STYLE}\s*\{{\s*log\s*\}})\s*\\?_"
    return rf"{log}|(?:(?:np|numpy|math)\.)?(?:{one})|\\(?:{one})(?![A-Za-z])|{_STYLE}\s*\{{\s*(?:{one})\s*\}}"
