"""Personal names in Chinese: a common surname and one or two characters, simplified or traditional."""

from __future__ import annotations

from typing import Final

_SURNAMES: Final = (
    "王李张张刘刘陈陈杨杨赵赵黄黄周吴吴徐孙孙胡朱高林何郭马马罗罗梁宋郑郑谢谢韩韩唐冯冯于董萧萧肖程曹袁邓邓许许傅沈曾彭吕吕苏苏卢卢蒋蒋"
    "蔡贾贾丁魏薛叶叶阎阎余潘杜戴夏钟钟汪田任姜范方石姚谭谭廖邹邹熊金陆陆郝孔白崔康毛邱秦江史顾顾侯邵孟龙龙万万段雷钱钱汤汤尹黎易常武乔乔"
    "贺贺赖赖龚龚文庞庞樊兰兰殷施陶洪翟安颜颜倪严严牛温温芦季俞章鲁鲁葛伍韦韦申尤毕毕聂聂丛焦向柳邢路岳齐齐沿梅莫庄庄辛管祝左涂谷祁"
    "时耿牟卜路詹关关苗凌费费纪纪靳盛童欧欧甄项项曲成游阳阳裴席卫卫查屈鲍鲍位覃霍翁隋植甘景薄单单包司柏宁柯阮桂闵解强柴华华车冉房边边辜"
    "简简褚池"
)
_DOUBLE: Final = "欧阳|欧阳|司马|司马|上官|诸葛|诸葛|夏侯|皇甫|尉迟|公孙|慕容|令狐|司徒|东方|南宫|端木|长孙|宇文"
_HAN: Final = "\u4e00-\u9fff"
NAME: Final = rf"(?:(?:{_DOUBLE})[{_HAN}]{{1,2}}|[{''.join(dict.fromkeys(_SURNAMES))}][{_HAN}]{{1,2}})"
"""A name as a pattern; whether it ends there is for the pattern around it to say."""
_GIVEN: Final = (
    "伟伟芳娜秀英敏静静丽丽强强磊军军洋勇艳艷杰杰娟涛涛明超兰兰霞平刚刚桂玉萍红红鹏鹏辉辉华华飞飞鑫波斌宇浩凯凯健俊帆雪梅琳玲婷慧莹莹燕云云"
    "莉颖颖佳倩欣怡雨晨博文轩轩涵梓子紫若诗诗睿昊天泽泽嘉豪志建国国庆庆春花凤凤珍淑贵贵福祥荣荣德义义仁礼信忠良善美惠爱爱香月琴瑶瑶璐瑾瑜珊"
    "珠宝宝丹彤形影晓晓晴昕旭阳阳东东峰锋锋林森楠桐松柏柳荷莲莲菊薇蓉蕾萌苗芸芝芬芷菲萱蕊馨龙龙虎生成立海江河湖清源润润洁洁冰泉洲凡帅帅康宁宁"
    "安泰永恒恒长长胜胜利发发财富启启迪思学学勤奋智聪聪睿哲贤贤达达远远航翔鸿鸿鹤鹤鸣鸣乐乐欢欢悦悦朗亮光耀景尚伯仲叔季家启世绍绍承继继宗祖耀"
    "一亦奕毅逸艺艺依伊妍妮姗娇娇媛嫣婉婕娅可心梦梦语语言彦琦琪琰琛瑞祺祯婧茜茹苒菁萍蓓露霖霏雯雅韵韵秋冬夏昌盛兴兴旺全金银银铭铭钰钰钧钧锐锐"
)
LIKELY_NAME: Final = (
    rf"(?:(?:{_DOUBLE})[{_HAN}]{{1,2}}"
    rf"|[{''.join(dict.fromkeys(_SURNAMES))}][{''.join(dict.fromkeys(_GIVEN))}]{{1,2}})"
)
"""A name of characters that are common in names, where other words could stand too."""
END: Final = rf"(?![{_HAN}])"
"""No further character: here a name ends."""
