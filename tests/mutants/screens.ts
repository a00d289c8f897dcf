import { createMutants, type Mutant } from './mutant.ts'

const rankingTests = 'tests/unit/provider/search/ranking/ranking-and-match-explanations.test.ts'
const queryTests = 'tests/unit/provider/search/query/parse-query.test.ts'
const layoutTests = 'tests/unit/domain/live/tile-layout.test.ts'
const gridPageTests = 'tests/unit/domain/live/grid-pages.test.ts'

const SEARCH_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'provider/search/query/parse-query.ts',
    [queryTests],
    [
      [
        'Q1',
        '“without a cat or a dog” excludes only the cat',
        "isNot &&= this.#tokens[at]?.english === 'or'",
        'isNot = false',
      ],
      ['Q2', 'the word order makes a different query', "].sort().join(' ')", "].join(' ')"],
      [
        'Q3',
        '“who was there” has no search term',
        'if (whoIndex >= 0 && this.#concepts',
        'if (whoIndex > 99 && this.#concepts',
      ],
    ],
  ),
  ...createMutants(
    'provider/search/match-finder.ts',
    ['tests/provider/search/query/search-queries.test.ts'],
    [
      ['Q4', 'excluded terms are found', '(mask & this.#excludedMask) === 0 && this', 'this'],
      [
        'Q5',
        'events outside the requested hours are found',
        '=== 0 && this.#query.isInQueryHours(event_ts)',
        '=== 0 && event_ts > 0',
      ],
      [
        'Q6',
        'a query of exclusions alone finds everything',
        'mask: scorer.matchRow(row).mask })).filter(this.#passesFilters)',
        'mask: scorer.matchRow(row).mask }))',
      ],
    ],
  ),
  ...createMutants(
    'provider/search/ranking/match-weights.ts',
    [rankingTests],
    [
      ['Q7', 'a result voted wrong keeps its rank', 'Number(a.vote < 0) - Number(b.vote < 0) ||', ''],
      ['Q8', 'a result voted right keeps its rank', 'Number(b.vote > 0) - Number(a.vote > 0) ||', ''],
      ['Q9', 'results that match less of the query rank first', 'b.weight - a.weight', 'a.weight - b.weight'],
      ['Q10', 'older events rank first', 'b.event_ts - a.event_ts', 'a.event_ts - b.event_ts'],
      ['Q11', 'day or night weighs as much as an object', 'SETTING_WEIGHT = 0.4', 'SETTING_WEIGHT = 1'],
      [
        'Q12',
        'a match split over sentences counts as strong',
        'matched === concepts.length && isOne',
        'matched === concepts.length',
      ],
      [
        'Q13',
        '“red car” matches if something else is red',
        '(sentence & bit) !== 0 && (sentence & things) !== 0',
        '(sentence & bit) !== 0',
      ],
      [
        'Q14',
        'a rare word counts as much as a common one',
        'const MAX_RARITY_BONUS = 0.3',
        'const MAX_RARITY_BONUS = 0',
      ],
      ['Q15', '“a running fox” matches any fox', '&& !concept.loose)) > 1 &&', '&& !concept.loose)) > 0 &&'],
    ],
  ),
]

const LAYOUT_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'src/domain/live/tile-layout.ts',
    [layoutTests],
    [
      [
        'Y1',
        'Focus has three large videos from eight cameras on',
        'MULTI_FOCUS_MIN_CAMERAS = 7',
        'MULTI_FOCUS_MIN_CAMERAS = 8',
      ],
      ['Y2', 'columns are chosen although rows are as large', 'MIN_IMPROVEMENT = 1.02', 'MIN_IMPROVEMENT = 1'],
      ['Y3', 'a tile can be too narrow', '>= MIN_TILE_WIDTH_PX)', '>= 0)'],
      ['Y4', 'Grid has tiles of very different sizes', 'GRID_MAX_RATIO = 1.55', 'GRID_MAX_RATIO = 2.5'],
      ['Y5', 'tiles touch each other', 'x += size * ratio + TILE_GAP_PX', 'x += size * ratio'],
      ['Y6', 'a large area stays half empty', 'const COMPETING_AREA_SHARE = 0.92', 'const COMPETING_AREA_SHARE = 0.5'],
    ],
  ),
  ...createMutants(
    'src/domain/live/stage-layout.ts',
    [layoutTests],
    [
      [
        'Y7',
        'Today is cut off below the videos',
        'height - tilesHeight - TILE_GAP_PX >= BOTTOM_PANEL_MIN_HEIGHT_PX',
        'height - tilesHeight - TILE_GAP_PX >= 0',
      ],
      ['Y8', 'Today covers the second video', "today === 'under' ? tileRects[1]!.height + TILE_GAP_PX : 0", '0'],
    ],
  ),
  ...createMutants(
    'src/domain/live/wall-pages.ts',
    [gridPageTests],
    [
      ['Y9', 'a wall page shows ten cameras', 'MAX_CAMERAS_PER_PAGE = 9', 'MAX_CAMERAS_PER_PAGE = 10'],
      ['Y10', 'a saved layout of all cameras is shown twice', ' && visible.length < ids.length', ''],
      [
        'Y11',
        'a wall that was suspended advances only one page',
        '1 + Math.floor((now - turn.dueAt) / PAGE_DURATION_MS)',
        '1',
      ],
    ],
  ),
]

export const SCREEN_MUTANTS: readonly Mutant[] = [...SEARCH_MUTANTS, ...LAYOUT_MUTANTS]
