from tests.api.conftest import errors_are_declared, finish  # noqa: F401 - fixtures
