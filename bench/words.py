"""Invented vocabularies whose words are as unevenly common as real ones, so that rare, middling and common words exist.

The commonest words of each language are real; the long tail is made of syllables and characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")

_ENGLISH = """the to a and of in is it that for with on this be we not as from at by are if or can when has will an so
but which its then than only after before all error test file function value returns line call fix check build run
request response cache queue retry timeout config path branch commit merge table column index query user token header
module import class method argument default option result failing passes empty missing wrong expected actual change
add remove rename update handler client server endpoint migration schema report export parser reader writer buffer
thread lock process worker job log message event session project folder name version release package dependency"""

_RUSSIAN = """и в не на что с по как это для мы из то а от но при же если так или у за все ещё уже только после когда
ошибка тест файл функция значение строка вызов проверка сборка запрос ответ кэш очередь повтор настройка путь ветка
коммит таблица столбец индекс пользователь заголовок модуль класс метод аргумент результат падает пустой нужно можно
надо исправить проверить добавить удалить переименовать обновить клиент сервер миграция схема отчёт экспорт поток
процесс задача журнал сообщение событие сессия проект папка имя версия выпуск пакет зависимость сейчас теперь здесь
там потому поэтому снова почему работает сломалось найди посмотри запусти объясни напиши счёт приём"""

_CHINESE = """的 了 是 在 我 不 有 和 就 也 都 这 那 要 把 会 对 没有 可以 需要 一个 这个 问题 错误 测试 文件 函数 返回
检查 修复 构建 运行 请求 响应 缓存 队列 重试 超时 配置 路径 分支 提交 合并 数据库 表 列 索引 查询 用户 令牌 模块 导入
方法 参数 默认 结果 失败 通过 为空 缺少 预期 修改 添加 删除 重命名 更新 客户端 服务器 接口 迁移 报表 导出 解析 线程
进程 任务 日志 消息 会话 项目 目录 名称 版本 发布 依赖 因为 所以 但是 如果 然后 现在 已经 还是 看一下 为什么 怎么
应该 直接 之前 之后 同时 全部 每次 连接 内存 磁盘 性能 权限 并发 事务 回滚 字段 类型 时间 页面 订单 支付 登录"""

_ONSETS = "b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sc sh sl st t th tr v w z"
_CORES = "a e i o ai ea ou er or an en in on al el"
_ENDS = ["", "", "n", "s", "m", "r", "th", "sh", "nd", "st", "ing", "ed", "er", "ly"]
_RU_ONSETS = "в г д ж з к л м н п р с т ф ц ч ш пр ст тр кр сл вр гл об под пере"
_RU_CORES = "а е и о у ы я ё ю ер ор ан ен ол ел"
_RU_ENDS = ["", "ть", "ник", "ка", "ный", "ного", "ному", "ость", "ами", "ах", "ение", "ения", "ок", "ов", "ем"]
_ZH_LENGTHS = (1, 2, 2, 2, 2, 2, 2, 2, 3, 4)


class Zipf(Generic[T]):
    """Draws items so that the n-th is about n times as rare as the first."""

    def __init__(self, items: Sequence[T], random: Random, *, exponent: float = 1.0) -> None:
        self._items = items
        self._weights = list(accumulate(1 / (rank + 2.0) ** exponent for rank in range(len(items))))
        self._random = random
        self._drawn: list[T] = []

    def take(self, count: int) -> list[T]:
        """Draw `count` items; many are drawn at a time because one at a time costs three times as much."""
        if len(self._drawn) < count:
            self._drawn += self._random.choices(self._items, cum_weights=self._weights, k=max(20_000, count))
        kept = len(self._drawn) - count
        taken, self._drawn = self._drawn[kept:], self._drawn[:kept]
        return taken

    def one(self) -> T:
        return self.take(1)[0]


def english(random: Random, size: int) -> list[str]:
    return _vocabulary(_ENGLISH, lambda: _syllables(random, _ONSETS.split(), _CORES.split(), _ENDS), size)


def russian(random: Random, size: int) -> list[str]:
    return _vocabulary(_RUSSIAN, lambda: _syllables(random, _RU_ONSETS.split(), _RU_CORES.split(), _RU_ENDS), size)


def chinese(random: Random, size: int) -> list[str]:
    # The 3,755 everyday characters are rows 16 to 55 of GB 2312, in the order of their reading.
    pairs = [bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF)]
    characters = "".join(pair.decode("gb2312", "ignore") for pair in pairs)
    usual = Zipf(random.sample(characters, len(characters)), random, exponent=0.7)
    return _vocabulary(_CHINESE, lambda: "".join(usual.take(random.choice(_ZH_LENGTHS))), size)


def identifiers(random: Random, words: Sequence[str], size: int) -> list[str]:
    """Return names as code has them: snake_case, camelCase, PascalCase, dotted, kebab-case, SHOUTED."""
    stems = Zipf([word for word in words if 2 < len(word) < 8], random, exponent=0.8)
    spell: list[Callable[[list[str]], str]] = [
        "_".join,
        "_".join,
        lambda parts: parts[0] + "".join(part.capitalize() for part in parts[1:]),
        lambda parts: "".join(part.capitalize() for part in parts),
        ".".join,
        "-".join,
        lambda parts: "_".join(parts).upper(),
    ]
    return _distinct(lambda: random.choice(spell)(stems.take(random.choice((2, 2, 3)))), size)


def _syllables(random: Random, onsets: Sequence[str], cores: Sequence[str], ends: Sequence[str]) -> str:
    count = random.choice((1, 2, 2, 3))
    return "".join(random.choice(onsets) + random.choice(cores) for _ in range(count)) + random.choice(ends)


def _vocabulary(usual: str, make: Callable[[], str], size: int) -> list[str]:
    common = list(dict.fromkeys(usual.split()))
    made = _distinct(make, max(0, size - len(common)))
    # Common words are short in every language.
    return common + sorted(made, key=lambda word: len(word) // 3)


def _distinct(make: Callable[[], str], size: int) -> list[str]:
    def forever() -> Iterator[str]:
        seen: set[str] = set()
        while True:
            word = make()
            if word not in seen:
                seen.add(word)
                yield word

    return list(islice(forever(), size))
