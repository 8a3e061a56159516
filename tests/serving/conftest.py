from tests.cli.conftest import serve  # noqa: F401 - a fixture
