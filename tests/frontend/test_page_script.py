"""One script of many: each is called once, behind what it needs, and what is not expected is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena_frontend.bundle import WHOLE, Bundle, content
from arena_frontend.page_script import page_script

SOURCES = {
    "page": 'import { twice as two } from "./sums.js";\nimport * as words from "./words.js";\n'
    "export const attach = () => words.said(two(21));\n",
    "sums": 'import { begun } from "./shell.js";\nlet calls = 0;\nexport function twice(number) {\n'
    "  calls += begun;\n  return 2 * number;\n}\n",
    "words": 'import { twice } from "./sums.js";\nexport async function said(number) {\n'
    "  return number + twice(1);\n}\n",
    "shell": "export const begun = 1;\n",
    "passed": 'export { attach } from "./page.js";\n',
}


def run(script: str, folder: Path) -> str:
    if not (node := shutil.which("node")):
        pytest.skip("no node")
    (folder / "shell.js").write_text(SOURCES["shell"])
    (folder / "page.js").write_text(script)
    (folder / "package.json").write_text('{"type": "module"}')
    say = 'import { attach } from "./page.js";\nattach().then((said) => console.log(said));\n'
    (folder / "say.js").write_text(say)
    return subprocess.run([node, "say.js"], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.process
@pytest.mark.parametrize("name", ["page", "passed"])
def test_a_script_does_the_same_as_the_scripts_it_is_made_of(name: str, tmp_path: Path) -> None:
    script = page_script(name, SOURCES, {"shell"})
    assert run(script, tmp_path) == "44"
    assert re.findall(r"^import .*", script, re.MULTILINE) == ['import * as s_shell from "./shell.js";']
    assert script.count("return 2 * number") == 1


@pytest.mark.parametrize(
    "line", ['import "./sums.js";', "export default 1;", "export let calls = 0;", "export const [a, b] = [1, 2];"]
)
def test_what_is_not_expected_is_refused(line: str) -> None:
    with pytest.raises(RuntimeError, match="unexpected"):
        page_script("page", {**SOURCES, "page": f"{line}\n"})


@pytest.mark.parametrize("name", WHOLE)
def test_a_page_s_script_imports_only_what_the_page_has_begun_with(name: str) -> None:
    bundle = Bundle.load()
    script = content(bundle.files[f"{bundle.prefix}/{name}.js"]).decode()
    begun = {path.rpartition("/")[2] for path in bundle.scripts(WHOLE[name])}
    assert set(re.findall(r'^import .* from "\./(.+)";$', script, re.MULTILINE)) <= begun
    assert script.endswith(f"export const {{ attach }} = s_{name};\n")
