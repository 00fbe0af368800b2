"""Ships the packaged course compiled, so that the first grading after an install is as fast as the next."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledCourse(BuildHookInterface):  # type: ignore[misc]
    """Adds the compiled course to the wheel; an editable install compiles when it first grades."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the course into a temporary file and include that."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            from grader.course import COMPILED, COMPILED_PAIRS, compiled_pairs_text, compiled_text

            self._folder = tempfile.TemporaryDirectory()
            compiled = compiled_text(Path(self.root) / "exercises")
            for name, text in ((COMPILED, compiled), (COMPILED_PAIRS, compiled_pairs_text(compiled))):
                place = Path(self._folder.name) / name
                place.write_text(text, encoding="utf-8")
                build_data["force_include"][str(place)] = f"exercises/{name}"
        finally:
            sys.path.remove(self.root)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the temporary file."""
        if version != "editable":
            self._folder.cleanup()
