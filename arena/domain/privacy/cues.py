"""Personal data that only a word before it gives away: addresses, names, papers and number plates."""

from __future__ import annotations

import re
from typing import Final

_STREETS: Final = (
    r"street|st\.|avenue|ave\.?|road|rd\.|boulevard|blvd\.?|lane|ln\.|drive|dr\.|court|ct\.|terrace|place|way|square"
)
ADDRESS: Final = re.compile(
    # A number, up to three words with capitals, and a word for a street.
    rf"(?<![\w.])\d{{1,5}}[A-Za-z]? (?:[A-Z0-9][\w'.]* ){{1,3}}(?i:{_STREETS})(?!\w)"
    r"|(?:住址|地址|住在|家住|我住)[是在为為]?[: ]{0,2}[^\n。;?]{0,24}?"
    r"\d{1,5} ?(?:号|號|弄|室|楼|樓|栋|棟|幢|单元|單元|巷)"
    r"|[\u4e00-\u9fff]{2,8}(?:路|街|巷|大道|胡同|弄)[一二三四五六七八九十]{0,3}段?\d{1,5}(?:巷\d+)?(?:弄\d+)?(?:号|號)"
    r"|(?i:адрес|живу|проживаю|ул\.|улица|улице|проспект|пер\.)[^\n.;?]{0,40}?(?:д\.|дом|кв\.|,) ?\d{1,4}"
    r"|(?:عنواني|العنوان|أسكن|شارع)[^\n.;؟]{0,40}?\d{1,5}"
    r"|(?i:\b(?:my|home|mailing|postal|shipping|billing) address(?: is|:)) ?[^\n]{0,40}\d{1,6}"
    r"|(?i:\bi live at) [^\n]{0,40}\d{1,6}"
)
NAME: Final = re.compile(
    r"(?i:\bmy (?:full |real )?name is|\bmy name's|\bmy name:|\bsigned by|\bi am called|\bpatient(?: name)?:|"
    r"\bfull name:) ?[A-Z][\w'-]+ [A-Z][\w'-]+"
    r"|(?:我叫|我的名字[是叫]|我的姓名[是为為]|本人姓名|真实姓名|真實姓名|姓名)[:：是为為 ]{0,2}[\u4e00-\u9fff]{2,4}"
    r"|(?i:меня зовут|мо[её] имя|фио:?) [А-ЯЁ][а-яё]+ [А-ЯЁ][а-яё]+"
    r"|(?:اسمي|الاسم الكامل:?) [\u0600-\u06ff]+ [\u0600-\u06ff]+"
)
PAPER: Final = re.compile(
    r"(?i:passport|driver'?s licen[cs]e|driving licen[cs]e|identity card|id card|social security|student id|"
    r"medical record|\bmrn|паспорт\w*|удостоверени\w+|снилс|инн|جواز السفر|بطاقة الهوية|رقم الهوية|"
    r"护照|護照|驾驶证|駕照|驾照|身份证|身分證|社保|学号|學號|病历号|病歷號|军官证|通行证|通行證)"
    r"[^\d\n]{0,20}?(?=[A-Z0-9])[A-Z]{0,3}[ -]?\d[\d -]{4,18}(?![\d])",
)
PLATE: Final = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z][·• -]?"
    r"[A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警]"
    r"|(?i:licen[cs]e plate|number plate|plate number|registration plate|车牌|車牌|госномер|номер машины|لوحة السيارة)"
    r"[^A-Z0-9А-Я\n]{0,24}(?=[A-ZА-Я0-9 -]*\d)(?=[\d -]*[A-ZА-Я])[A-ZА-Я0-9]{1,4}(?:[ -]?[A-ZА-Я0-9]{1,5}){1,3}"
)
