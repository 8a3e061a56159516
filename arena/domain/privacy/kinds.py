"""The detected kinds of personal data, by the names used in releases."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """A kind of personal data."""

    EMAIL = "email"
    MESSENGER = "messenger"
    HANDLE = "handle"
    PROFILE = "profile"
    PHONE = "phone"
    NATIONAL_NUMBER = "national_number"
    CARD = "card"
    ACCOUNT = "account"
    WALLET = "wallet"
    DEVICE = "device"
    CREDENTIALS = "url_with_credentials"
    KEY = "key"
    SESSION = "session"
    PRIVATE_KEY = "private_key"
    NETWORK_ADDRESS = "network_address"
    ADDRESS = "address"
    COORDINATES = "coordinates"
    NAME = "name"
    SIGNATURE = "signature"
    BIRTH = "date_of_birth"
    PAPER = "paper"
    RECORD = "record"
    MEMBERSHIP = "membership"
    PLATE = "plate"
