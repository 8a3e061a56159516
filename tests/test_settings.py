import pytest

from arena.settings import Settings


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_SECRETS_DIR", str(tmp_path))
    return tmp_path


def test_secrets_are_read_from_files(folder):
    (folder / "arena_secret").write_text("s" * 64 + "\n")
    (folder / "arena_database_url").write_text("postgresql://arena:pw@db/arena\n")
    settings = Settings()
    assert settings.signing_secret() == b"s" * 64
    assert settings.database_url == "postgresql://arena:pw@db/arena"


def test_a_variable_wins_over_a_file(folder, monkeypatch):
    (folder / "arena_database_url").write_text("postgresql://file/arena")
    monkeypatch.setenv("ARENA_DATABASE_URL", "postgresql://variable/arena")
    assert Settings().database_url == "postgresql://variable/arena"


def test_an_empty_folder_of_secrets_changes_nothing(folder, monkeypatch):
    monkeypatch.delenv("ARENA_DATABASE_URL", raising=False)
    assert Settings().database_url == ""


def test_links_name_the_public_address_or_else_the_one_served_last(tmp_path):
    settings = Settings(data=tmp_path)
    assert settings.address == "http://127.0.0.1:8000"
    settings.address_file.write_text("http://10.1.2.3:9000")
    assert settings.address == "http://10.1.2.3:9000"
    assert Settings(data=tmp_path, public_url="https://arena.example/").address == "https://arena.example"
