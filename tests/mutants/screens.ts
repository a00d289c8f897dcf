import { createMutants, type Mutant } from './mutant.ts'

const order = 'tests/unit/provider/search/ranking/ranking-and-match-explanations.test.ts'
const understand = 'tests/unit/provider/search/query/parse-query.test.ts'
const layout = 'tests/unit/domain/live/tile-layout.test.ts'
const wall = 'tests/unit/domain/live/grid-pages.test.ts'

const SEARCH: readonly Mutant[] = [
  ...createMutants(
    'provider/search/query/parse-query.ts',
    [understand],
    [
      [
        'Q1',
        'without a cat or a dog leaves out the cat only',
        "isNot &&= this.tokens[at]?.english === 'or'",
        'isNot = false',
      ],
      ['Q2', 'the order of words makes another question', "].sort().join(' ')", "].join(' ')"],
      [
        'Q3',
        'who was there asks for nothing',
        'if (whoIndex >= 0 && this.concepts',
        'if (whoIndex > 99 && this.concepts',
      ],
    ],
  ),
  ...createMutants(
    'provider/search/match-finder.ts',
    ['tests/provider/search/query/search-queries.test.ts'],
    [
      ['Q4', 'what was to be left out is found', '(mask & this.excluded) === 0 && this', 'this'],
      [
        'Q5',
        'other hours than those asked for are found',
        '=== 0 && this.asked.isThen(event_ts)',
        '=== 0 && event_ts > 0',
      ],
      [
        'Q6',
        'a question of exclusions alone finds everything',
        'mask: reader.read(row).mask })).filter(this.isLetIn)',
        'mask: reader.read(row).mask }))',
      ],
    ],
  ),
  ...createMutants(
    'provider/search/ranking/match-weights.ts',
    [order],
    [
      ['Q7', 'what feedback called wrong stands where it did', 'Number(a.vote < 0) - Number(b.vote < 0) ||', ''],
      ['Q8', 'what feedback called right stands where it did', 'Number(b.vote > 0) - Number(a.vote > 0) ||', ''],
      ['Q9', 'what has less of the question stands first', 'b.weight - a.weight', 'a.weight - b.weight'],
      ['Q10', 'older events stand first', 'b.event_ts - a.event_ts', 'a.event_ts - b.event_ts'],
      ['Q11', 'the light weighs as much as the thing', 'SETTING_WEIGHT = 0.4', 'SETTING_WEIGHT = 1'],
      [
        'Q12',
        'a match in pieces is called strong',
        'matched === concepts.length && isOne',
        'matched === concepts.length',
      ],
      [
        'Q13',
        'a red car is found where something else is red',
        '(sentence & bit) !== 0 && (sentence & things) !== 0',
        '(sentence & bit) !== 0',
      ],
      ['Q14', 'a rare word counts as much as a common one', 'const RARITY = 0.3', 'const RARITY = 0'],
      ['Q15', 'a fox that runs is any fox', '&& !concept.loose)) > 1 &&', '&& !concept.loose)) > 0 &&'],
    ],
  ),
]

const LAYOUTS: readonly Mutant[] = [
  ...createMutants(
    'src/domain/live/tile-layout.ts',
    [layout],
    [
      ['Y1', 'Focus has three large pictures from eight cameras on', 'MANY = 7', 'MANY = 8'],
      ['Y2', 'columns stand where rows are as large', 'CLEARLY = 1.02', 'CLEARLY = 1'],
      ['Y3', 'a picture is too narrow to see anything', '>= NARROWEST)', '>= 0)'],
      ['Y4', 'Grid has pictures of very different sizes', 'EQUAL = 1.55', 'EQUAL = 2.5'],
      ['Y5', 'pictures touch each other', 'x += size * ratio + GAP', 'x += size * ratio'],
      ['Y6', 'large rooms stay half empty', 'const NEARLY = 0.92', 'const NEARLY = 0.5'],
    ],
  ),
  ...createMutants(
    'src/domain/live/stage-layout.ts',
    [layout],
    [
      ['Y7', 'Today is cut off below the pictures', 'height - foot - GAP >= LEFT', 'height - foot - GAP >= 0'],
      ['Y8', 'Today lies over the second picture', "today === 'under' ? places[1]!.height + GAP : 0", '0'],
    ],
  ),
  ...createMutants(
    'src/domain/live/wall-pages.ts',
    [wall],
    [
      ['Y9', 'a wall shows ten cameras at once', 'MOST_AT_ONCE = 9', 'MOST_AT_ONCE = 10'],
      ['Y10', 'a saved layout of all cameras is shown twice', ' && visible.length < ids.length', ''],
      ['Y11', 'a wall that slept turns one page', '1 + Math.floor((now - turn.dueAt) / PAGE_MS)', '1'],
    ],
  ),
]

export const SHOWN: readonly Mutant[] = [...SEARCH, ...LAYOUTS]
