"""The command that prints a solved model."""

import pytest

from reference.__main__ import main

INT8 = "int8[B, D] * int8[D, F] -> int8[B, F]"


def rows(text: str) -> dict[str, list[str]]:
    """The cells of each line but the first, by quantity; cells are two blanks apart."""
    lines = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.splitlines()]
    return {line[0]: line[1:] for line in lines[1:]}


def test_the_table_shows_formulas_and_values(capsys: pytest.CaptureFixture[str]) -> None:
    main([INT8, "--accelerator", "tpu-v5e", "--regime", "B << D, F", "--set", "bandwidth=8.1e11"])
    table = rows(capsys.readouterr().out)
    assert table["flops"] == ["2*macs", "2*B*D*F"]
    assert table["leading"] == ["leading_term(intensity)", "2*B"]
    assert table["critical_batch"] == ["crossing(leading, ridge, B)", "243.210"]
    assert table["relation"][-1] == ">"


def test_axes_can_be_given_lengths(capsys: pytest.CaptureFixture[str]) -> None:
    main([INT8, "--set", "D=4096", "--set", "F=16384"])
    assert rows(capsys.readouterr().out)["crossover"][-1] == "259.251"


def test_a_quantity_that_cannot_be_solved_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    main([INT8, "--regime", "D, F << B"])
    table = rows(capsys.readouterr().out)
    assert "can't tell whether" in table["bound"][-1]
    assert table["leading"][-1] == "2*D*F/(D + F)"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["int8[B, D]"], "no arrow"),
        ([INT8, "--accelerator", "tpu-v5"], "did you mean"),
        ([INT8, "--set", "bandwidth"], "can't read the setting"),
        ([INT8, "--set", "bandwidth=fast"], "is not a number"),
        ([INT8, "--batch", "Q"], "the batch axis Q"),
    ],
)
def test_faults_are_told_in_words_and_with_exit_code_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert says in capsys.readouterr().err
