from tests.api.conftest import acts_are_one_transaction, errors_are_declared, finish  # noqa: F401 - fixtures
