import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SqlStorage } from '@cloudflare/workers-types'
import { buildVirtualEvent } from '../../bridge/virtual/virtual-clip.ts'
import { SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import type { BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import { insertEvent } from '../../provider/events/event-rows.ts'
import { createConcept, isPlainWord } from '../../provider/search/query/concept.ts'
import wordList from '../../provider/search/lexicon/data/english-word-stems.json' with { type: 'json' }
import { searchHome } from '../../provider/search/search-pipeline.ts'
import { hasMatchingEvent } from '../../provider/search/index/search-rows.ts'
import { parseQuery } from '../../provider/search/query/parse-query.ts'
import type { TimeOfDay } from '../../scenes/manifest.ts'
import { openHomeSql } from '../support/home-sql.ts'
import type { Figure } from './figure.ts'
import { GRADED_QUERIES, type GradedQuery } from './search-queries.ts'
import { MINUTE_MS } from '../../contract/time-units.ts'

const RESULT_COUNT = 10
const TIMES_OF_DAY: readonly TimeOfDay[] = ['day', 'dusk', 'night']
/** Recording time of the first action, ms since the epoch. Each further action follows one minute later. */
const FIRST_ACTION_MS = Date.UTC(2026, 9, 1)

/**
 * Returns the normalized discounted cumulative gain (nDCG) of the first ten results: 1 for the best order, 0 for no
 * relevant result.
 */
export function computeNdcg(rankedIds: readonly string[], answers: GradedQuery['answers']): number {
  const gain = (grades: readonly number[]) =>
    grades.slice(0, RESULT_COUNT).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
  const ideal = gain(Object.values(answers).toSorted((a, b) => b - a))
  return gain(rankedIds.map((id) => answers[id] ?? 0)) / ideal
}

/** Returns the cameras of the rendered scenes, and one event per action with the moments that the bridge would send. */
export async function buildSceneEvents(): Promise<{
  events: BridgeEvent[]
  cameras: { device_id: string; name: string }[]
}> {
  const library = await SceneLibrary.open(fileURLToPath(new URL('../../scenes', import.meta.url)))
  const scenes = Object.entries(library.manifest.scenes)
  const actions = scenes.flatMap(([scene, { lights }]) =>
    TIMES_OF_DAY.flatMap((light) => lights[light].actions.map(({ id }) => ({ scene, light, action: id }))),
  )
  const events = actions.map((sceneAction, n): BridgeEvent => {
    const event = buildVirtualEvent(library, {
      ...sceneAction,
      device_id: sceneAction.scene.replace('-', '_'),
      at: FIRST_ACTION_MS + n * MINUTE_MS,
    })
    const event_id = `${sceneAction.scene}/${sceneAction.light}/${sceneAction.action}`
    return { ...event, event_id, clip_object: null, thumb_object: null }
  })
  return { events, cameras: scenes.map(([scene, { name }]) => ({ device_id: scene.replace('-', '_'), name })) }
}

/** Baseline search: returns clips that contain any of the words, in the BM25 order of FTS5. */
function searchAnyWord(sql: SqlStorage, query: string): string[] {
  const words = (query.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => `"${word}"`)
  if (words.length === 0) return []
  return sql
    .exec<{ event_id: string }>(
      `SELECT event_id FROM search_index JOIN events ON doc = search_index.rowid
       WHERE search_index MATCH ? ORDER BY rank LIMIT ${RESULT_COUNT}`,
      words.join(' OR '),
    )
    .toArray()
    .map(({ event_id }) => event_id)
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

interface QueryScore {
  readonly isEnglish: boolean
  /**
   * Values of nDCG@10. `found`: for the matches. `shown`: for the matches, or for the near misses if nothing
   * matches. `plain`: for the baseline search.
   */
  readonly matchNdcg: number
  readonly shownNdcg: number
  readonly baselineNdcg: number
}

class SceneSearch {
  readonly #sql: SqlStorage
  readonly #cameras: { device_id: string; name: string }[]

  constructor({ events, cameras }: Awaited<ReturnType<typeof buildSceneEvents>>) {
    const { sql, transaction } = openHomeSql()
    transaction(() => {
      for (const event of events) insertEvent(sql, event)
    })
    this.#sql = sql
    this.#cameras = cameras
  }

  async searchScenes(query: string): Promise<{ found: string[]; closest: string[] }> {
    const view = [{ devices: this.#cameras.map(({ device_id }) => device_id), since: 0, free: false }]
    const range = { devices: [], tags: [], start: FIRST_ACTION_MS - MINUTE_MS, end: FIRST_ACTION_MS + 1000 * MINUTE_MS }
    const { found, closest } = await searchHome(this.#sql, this.#cameras, { query, ...range }, view)
    const ids = (matches: typeof found) => matches.map(({ match }) => match.event.event_id)
    return { found: ids(found), closest: ids(closest) }
  }

  async scoreQuery({ query, lang = 'en', answers }: TestQuery): Promise<QueryScore> {
    const { found, closest } = await this.searchScenes(query)
    return {
      isEnglish: lang === 'en',
      matchNdcg: computeNdcg(found, answers),
      shownNdcg: computeNdcg(found.length > 0 ? found : closest, answers),
      baselineNdcg: computeNdcg(searchAnyWord(this.#sql, query), answers),
    }
  }

  /** Returns true if the lexicon has no synonym or tag for the word and no clip contains it. */
  hasNoMatch(word: string): boolean {
    return (
      parseQuery(word, []).concepts.every(isPlainWord) && !hasMatchingEvent(this.#sql, createConcept({ asked: [word] }))
    )
  }
}

type TestQuery = GradedQuery & { readonly lang?: string }

const readQueries = (name: string): TestQuery[] =>
  JSON.parse(readFileSync(new URL(`search-questions/${name}.json`, import.meta.url), 'utf8')) as TestQuery[]

/**
 * Measures search quality on three query sets and compares the results with an FTS5 search for any of the words. People
 * other than the developers wrote `held out` and `seen` from the images. Developers have not read `held out`. A query
 * without answers describes something that no clip shows.
 */
export async function measureSearchQuality(log: (line: string) => void = () => {}): Promise<Figure[]> {
  const scenes = new SceneSearch(await buildSceneEvents())
  const sets = [
    ['held out', readQueries('held-out'), { all: 0.8, english: 0.88, above: 0.25 }],
    ['seen', readQueries('seen'), { all: 0.8, english: 0.88, above: 0.25 }],
    ['written with the search', GRADED_QUERIES, { all: 0.9, english: 0.9, above: 0 }],
  ] as const
  const figures: Figure[] = []
  for (const [name, queries, goals] of sets) figures.push(...(await measureFigures(scenes, name, queries, goals, log)))
  return [...figures, await measureFalseMatches(scenes)]
}

async function measureFigures(
  scenes: SceneSearch,
  name: string,
  queries: readonly TestQuery[],
  goals: { all: number; english: number; above: number },
  log: (line: string) => void,
): Promise<Figure[]> {
  const scored: QueryScore[] = []
  let [unanswerable, falseMatches] = [0, 0]
  for (const question of queries) {
    if (Object.keys(question.answers).length === 0) {
      unanswerable += 1
      const { found } = await scenes.searchScenes(question.query)
      if (found.length > 0) falseMatches += 1
      continue
    }
    const score = await scenes.scoreQuery(question)
    if (name !== 'held out') log(`${score.matchNdcg.toFixed(2)} ${score.baselineNdcg.toFixed(2)} ${question.query}`)
    scored.push(score)
  }
  const createFigure = (label: string, value: number, goal: number): Figure => ({
    label: `search: ${label}, ${scored.length} questions, ${name}`,
    value,
    unit: '',
    goal,
    bound: 'min',
  })
  const found = mean(scored.map((score) => score.matchNdcg))
  const baselineNdcg = mean(scored.map((score) => score.baselineNdcg))
  const figures = [
    createFigure('nDCG@10 of the matches', found, goals.all),
    createFigure(
      'nDCG@10 of the matches, or of the near misses if there is no match',
      mean(scored.map((score) => score.shownNdcg)),
      goals.all,
    ),
    createFigure('nDCG@10 gain over FTS5 with any word', found - baselineNdcg, goals.above),
  ]
  const english = scored.filter(({ isEnglish }) => isEnglish)
  if (english.length < scored.length)
    figures.push(
      createFigure(
        'nDCG@10 of the matches, English queries',
        mean(english.map((score) => score.matchNdcg)),
        goals.english,
      ),
    )
  if (unanswerable > 0)
    figures.push({
      label: `search: found of ${unanswerable} questions for what is not there, ${name}`,
      value: falseMatches,
      unit: '',
      goal: 1,
      bound: 'max',
    })
  return figures
}

const WORD_SAMPLING_INTERVAL = 8

/**
 * Searches for English words that occur in no clip. Measures the percentage of these words for which the search still
 * returns a clip.
 */
async function measureFalseMatches(scenes: SceneSearch): Promise<Figure> {
  const stems = wordList.stems.join(' ').split(' ')
  const words = stems.filter((word, n) => n % WORD_SAMPLING_INTERVAL === 0 && scenes.hasNoMatch(word))
  let matchedWordCount = 0
  for (const word of words) if ((await scenes.searchScenes(word)).found.length > 0) matchedWordCount += 1
  return {
    label: `search: words with a match, of ${words.length.toLocaleString('en')} words that occur in no clip`,
    value: (matchedWordCount / words.length) * 100,
    unit: '%',
    goal: 1,
    bound: 'max',
  }
}

if (import.meta.main) console.log(await measureSearchQuality(console.log))
