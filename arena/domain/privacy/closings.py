"""Signatures of letters: a name after a closing such as "Best regards" or 此致敬礼."""

from __future__ import annotations

import re
from typing import Final

from arena.domain.privacy.chinese_names import NAME as CHINESE
from arena.domain.privacy.names import FULL

_FORMAL: Final = (
    r"(?:(?:with |thanks and |thanks & |many thanks and )?(?:best|kind(?:est)?|warm(?:est)?|many|my) )?(?:regards|wishes)(?: and thanks)?|thanks (?:and|&) regards|(?:yours )?(?:sincerely|faithfully|truly"
    r"|respectfully|cordially)(?: yours)?|respectfully submitted|cordially|respectfully"
    r"|mit (?:freundlichen|besten|herzlichen|lieben) gr(?:ü|ue)(?:ß|ss)en|(?:viele|liebe|beste|herzliche|freundliche|schöne)"
    r" gr(?:ü|ue)(?:ß|ss)e|hochachtungsvoll|mfg|(?:bien )?cordialement|bien à vous|amicalement|salutations distinguées"
    r"|respectueusement|(?:muy )?atentamente|saludos(?: cordiales)?|un (?:cordial |fuerte |gran )?(?:saludo|abrazo)"
    r"|cordiali saluti|distinti saluti|atenciosamente|abraços|cumprimentos"
)
_FAMILIAR: Final = (
    r"(?:all the )?best|cheers|(?:many )?thanks(?: again| so much| a lot| in advance| for everything)?|warmly|gratefully"
    r"|thank you(?: so much| very much)?|(?:lots of |all my |with |much )?love|hugs(?: and kisses)?|xo(?:xo)?|take care|yours"
    r"|fondly|see you(?: soon)?|talk soon|signed|lg|gruß|bisous|besos|cordialmente"
)
_BREAK: Final = r"[ ,.!…~-]{0,4}\n[\n ]{0,5}"
_CLOSING: Final = re.compile(
    rf"(?:^|(?<=[\n.!?])|(?<=[\n.!?] ))(?:(?:{_FORMAL}|{_FAMILIAR}){_BREAK}(?=([^\n]{{2,70}})(?:\n|$))"
    rf"|looking forward[^\n]{{0,60}}{_BREAK}(?=([^\n]{{2,70}})\s*$)|(?:{_FORMAL}), ?(?=([^\n]{{2,70}})(?:\n|$))|(?:{_FAMILIAR}), ?(?=(\S+ [^\n]{{2,60}})(?:\n|$)))"
)
"""A closing in a text in lower case; its group is the next line, or the rest of the same line."""
_SIGNATURE: Final = re.compile(
    rf"[-–—*_ ]*(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Rev|Grandma|Grandpa|Aunt|Uncle|Sister|Brother|Frau|Herr)\.? )?(?:[A-ZÀ-Þ]\. ?){{0,2}}"
    rf"({FULL}|[A-ZÀ-Þ][^\W\d_A-Z]+(?:['’-][A-ZÀ-Þ]?[^\W\d_]+)?(?: [A-ZÀ-Þ]\.)?)[*_ ]*(?:[,.!(|/–-].*| {{2}}.*)?",
)
_NOBODY: Final = re.compile(
    r"(?i:\b(?:team|support|customer|services?|department|dept|your|the|company|manager|management|director|office|committee"
    r"|editor|name|staff|hr|sales|inc|llc|ltd|gmbh|university|school|board|council|institute|association|group|foundation|club"
    r"|bank|hotel|friend|neighbou?rs?|student|assistant|chatgpt|claude|ai|bot|everyone|all|again|subject|sir|madam|santa"
    r"|claus|you|me|us|god|note|ps|date|step|part|chapter|answer|question|example|summary|conclusion|signature|title"
    r"|position|president|ceo|mayor|anonymous|mom|mum|dad|please|can|could|what|how|why|if|is|and|but|so|then|now|here"
    r"|this|that|here's|write|make|explain|love|best|regards|sincerely)\b)"
)
"""Words that a personal name does not contain."""

_SPACE: Final = r"[ ,.!。~]*(?:\n ?)+"
_WISHES: Final = (
    r"(?:敬礼|祝好|此致|顺颂[^\n]{2,4}|[商时春夏秋冬教学旅文]祺|[台大近钧福金]安|安好|安康|祝[^\n]{1,14}"
    r"|谨启|敬启|盼复|恳请[^\n]{0,14}批准|望[^\n]{0,10}批准|请[^\n]{0,6}批准|再次感谢|谢谢|致谢|感谢[^\n]{0,12}|爱你|想你|保重|再见)"
)
_RELATION: Final = r"(?:[^\n\d]{0,8}(?:人|学生|学员|员工|家长|业主|朋友|同学|同事|女儿|儿子|妈妈|爸爸|妻子|丈夫|老公|老婆|弟子|晚辈|客户|用户|读者|学弟|学妹|店主|签名|署名|姓名|落款) ?[:,]? ?|爱你的|想你的)"
_RESPECT: Final = r"(?:敬上|谨上|敬启|谨启|拜上|顿首|亲笔|呈上|叩上|叩首|手书|敬呈|敬礼|敬具|留言|上|启|留|字)"
_DAY: Final = (
    r"(?: ?(?:\d{2,4} ?[年./-] ?)?[\d一二三四五六七八九十]{1,3} ?[月./-] ?[\d一二三四五六七八九十]{1,3} ?[日号]?)"
)
CHINESE_SIGNATURE: Final = re.compile(
    rf"{_WISHES}{_SPACE}(?:[^\n]{{1,20}}{_SPACE})?{_RELATION}?{CHINESE} ?{_RESPECT}?{_DAY}? ?(?=\n|$)"
    rf"|(?:^|\n) ?{_RELATION}?{CHINESE} ?{_RESPECT}{_DAY}? ?(?=\n|$)"
    rf"|[ 。!,]{CHINESE} ?(?:敬上|谨上|敬启|谨启|拜上|顿首|亲笔|叩上)(?![\u4e00-\u9fff])"
    rf"|敬礼[!。, ]{{1,3}}{_RELATION}?{CHINESE} ?{_RESPECT}?{_DAY}? ?(?=\n|$)"
    rf"|\n ?{_RELATION}?{CHINESE} ?\n ?\d{{4}} ?[年./-] ?\d{{1,2}} ?[月./-] ?\d{{1,2}} ?日? ?(?=\n|$)"
)
"""A wish, at most one line, and a name, perhaps with a relation before it and a date after it; or similar forms."""


def holds_signature(text: str, lower: str) -> bool:
    """Whether a text has a letter's closing with a name; `lower` is the text in lower case."""
    return CHINESE_SIGNATURE.search(text) is not None or any(
        _is_name(text[slice(*match.span(match.lastindex or 0))]) for match in _CLOSING.finditer(lower)
    )


def _is_name(line: str) -> bool:
    signature = _SIGNATURE.fullmatch(line.rstrip())
    return signature is not None and _NOBODY.search(signature[1]) is None
