"""How templates of the package are compiled: what they put out is escaped once, by the environment's `finalize`."""

from typing import Any

from jinja2 import Environment
from jinja2.compiler import CodeGenerator, Frame


class Escaping(CodeGenerator):
    """Jinja calls `finalize` for each expression, and then `escape`, which has nothing left to do: what `finalize`
    gives is markup. Of a page's time that was a sixth."""

    def _output_child_pre(self, node: Any, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write(finalize.src)

    def _output_child_post(self, node: Any, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_post(node, frame, finalize)
        else:
            self.write(")")


class Plain(Environment):
    """The environment of the package's own templates."""

    code_generator_class = Escaping
