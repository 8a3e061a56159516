from tests.api.conftest import client, errors_are_declared, finish  # noqa: F401 - fixtures
