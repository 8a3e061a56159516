"""Texts with one item of personal data each: thirteen kinds in four scripts, with digits in several spellings.

Numbers are random; check digits are valid.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from stdnum import luhn
from stdnum.cn import ric
from stdnum.iso7064 import mod_97_10

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CARRIERS = {
    "latin": ("Please help me to write a letter. {} Keep it short.", "Rewrite this in formal English: {} Thank you!"),
    "han": ("请帮我写一封信。{} 请尽量简短。", "請把這段話改寫得更正式：{} 謝謝！"),
    "arabic": ("ساعدني في كتابة رسالة. {} شكرا.", "أعد صياغة هذا النص: {} من فضلك."),
    "cyrillic": ("Помоги написать письмо. {} Спасибо.", "Перепиши этот текст: {} Покороче."),
}
ADDRESSES = {
    "latin": ("I live at {} Maple Grove, Springfield.", "Send it to {} Old Mill Road, please."),
    "han": ("家庭住址：上海市徐汇区漕溪北路{}号", "我住在台北市大安區和平東路二段{}號"),
    "arabic": ("عنواني شارع الملك فهد رقم {}", "أسكن في شارع النيل عمارة {}"),
    "cyrillic": ("Мой адрес: Москва, улица Ленина, дом {}", "Живу на Невском, д. {}"),
}
NAMES = {
    "latin": ("My name is Anna Kowalska.", "my full name is Peter O'Brien"),
    "han": ("我叫王小明，", "姓名：陳美玲"),
    "arabic": ("اسمي أحمد منصور", "الاسم الكامل: سارة يوسف"),
    "cyrillic": ("Меня зовут Иван Петров", "ФИО: Анна Смирнова"),
}
PHONES = {
    "latin": ("call me at (415) 555-{:04d}", "My phone number is 020 7946 {:04d}", "+44 20 7946 {:04d}"),
    "han": ("13912{:06d}", "我的手机是138-0013-{:04d}", "電話 02-2345-{:04d}", "手機0912-345-{:03d}"),
    "arabic": ("رقم هاتفي 0501234{:03d}", "+966 50 123 {:04d}"),
    "cyrillic": ("Мой телефон 8 (916) 123-{:04d}", "+7 916 123 {:04d}"),
}
PAPERS = {
    "latin": "My passport number is X{:07d}.",
    "han": "护照号码E{:08d}",
    "arabic": "رقم جواز السفر A{:07d}",
    "cyrillic": "Паспорт 45 08 {:06d}",
}
NATIVE = {"han": "〇一二三四五六七八九", "arabic": "٠١٢٣٤٥٦٧٨٩"}


def _national(rng: Random, script: str, turn: int) -> str:
    if script == "han":
        body = (
            f"11010519{rng.randrange(50, 99)}{rng.randrange(1, 13):02}{rng.randrange(1, 28):02}{rng.randrange(1000):03}"
        )
        return body + ric.calc_check_digit(f"{body}0")
    born = f"{rng.randrange(40, 99)}{rng.randrange(1, 13):02}"
    if script == "latin":
        return f"{rng.randrange(100, 665)}-{rng.randrange(1, 99):02}-{rng.randrange(1, 9999):04}"
    body = f"1{born}75{rng.randrange(1, 900):03}{rng.randrange(1, 900):03}"
    return f"{body}{97 - int(body) % 97:02}"


def _card(rng: Random, script: str, turn: int) -> str:
    body = f"4{rng.randrange(10**14):014}"
    digits = body + luhn.calc_check_digit(body)
    return digits if turn % 2 else " ".join(digits[at : at + 4] for at in range(0, 16, 4))


def _iban(rng: Random, script: str, turn: int) -> str:
    account = f"{rng.randrange(10**18):018}"
    return f"DE{mod_97_10.calc_check_digits(f'{account}DE'):>02}{account}"


def _key(rng: Random, script: str, turn: int) -> str:
    secret = "".join(rng.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789", k=36))
    return (f"sk-{secret}", f"ghp_{secret}", f"AKIA{secret[:16].upper()}", f"password: {secret[:10]}7")[turn % 4]


def _private_key(rng: Random, script: str, turn: int) -> str:
    return f"-----BEGIN {('', 'RSA ', 'OPENSSH ')[turn % 3]}PRIVATE KEY-----\nMII{rng.randrange(10**20)}"


def _plate(rng: Random, script: str, turn: int) -> str:
    number = rng.randrange(10_000, 99_999)
    return {
        "latin": f"My license plate is 7ABC{number % 1000:03}",
        "han": f"京A{number}",
        "arabic": f"لوحة السيارة ABC {number % 10_000:04}",
        "cyrillic": f"Госномер А{number % 1000:03}ВС77",
    }[script]


def _email(rng: Random, script: str, turn: int) -> str:
    person, host = rng.choice(("li.wei", "o.petrov", "sara")), rng.choice(("qq.com", "mail.ru", "uni.edu.tw"))
    return f"{person}{rng.randrange(999)}@{host}"


def _network(rng: Random, script: str, turn: int) -> str:
    return f"{rng.randrange(11, 99)}.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"


MAKERS: dict[str, Callable[[Random, str, int], str]] = {
    "email": _email,
    "phone": lambda rng, script, turn: PHONES[script][turn % len(PHONES[script])].format(rng.randrange(100, 999)),
    "national number": _national,
    "card": _card,
    "account": _iban,
    "url": lambda rng, *_: f"https://admin:pw{rng.randrange(10**6)}@db.intra.net/x",
    "key": _key,
    "private key": _private_key,
    "network address": _network,
    "address": lambda rng, script, turn: ADDRESSES[script][turn % 2].format(rng.randrange(1, 999)),
    "name": lambda _, script, turn: NAMES[script][turn % 2],
    "paper": lambda rng, script, _: PAPERS[script].format(rng.randrange(100_000, 999_999)),
    "plate": _plate,
}
DIGITS_ALONE = {"phone", "national number", "card", "address", "paper"}
TURNS = 10


def planted_texts() -> Iterator[tuple[str, str, str]]:
    """Kind, script and text, about five hundred of them."""
    rng = Random(15)
    for kind, make in MAKERS.items():
        for script, carriers in CARRIERS.items():
            for turn in range(TURNS):
                item = _spell(make(rng, script, turn), kind, script, turn)
                yield kind, script, carriers[turn % 2].format(item)


def _spell(item: str, kind: str, script: str, turn: int) -> str:
    """Spell an item in one of four ways: plain, full width, with invisible characters, or with native digits."""
    style = turn % 4
    if style == 1:
        return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in item)
    if style == 2:
        return "\u200b".join(item)
    if style == 3 and script in NATIVE and kind in DIGITS_ALONE:
        return item.translate({ord("0") + value: sign for value, sign in enumerate(NATIVE[script])})
    return item
