from tests.api.conftest import client, declared, finish  # noqa: F401 - fixtures
