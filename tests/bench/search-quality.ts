import { fileURLToPath } from 'node:url'
import { eventOf } from '../../bridge/virtual/clip.ts'
import { SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import type { BridgeEvent } from '../../contract/bridge.ts'
import { insertEvent } from '../../provider/events/event-rows.ts'
import { findInHome } from '../../provider/search/find.ts'
import type { Light } from '../../scenes/manifest.ts'
import { openSql } from '../support/home-sql.ts'
import type { Figure } from './main.ts'
import { ASKED, type Asked } from './search-queries.ts'

const DEPTH = 10
const LIGHTS: readonly Light[] = ['day', 'dusk', 'night']
/** When each action was recorded: a minute after the one before. */
const BEGAN = Date.UTC(2026, 9, 1)
const MINUTE = 60_000

/** How near an order comes to the best one there is, among the first ten: 1 is the best one, 0 has nothing right. */
export function ndcg(order: readonly string[], answers: Asked['answers']): number {
  const gain = (grades: readonly number[]) =>
    grades.slice(0, DEPTH).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
  const ideal = gain(Object.values(answers).toSorted((a, b) => b - a))
  return gain(order.map((id) => answers[id] ?? 0)) / ideal
}

/** Each action of the drawn scenes as one event, with what its bridge says of it. */
export async function sceneEvents(): Promise<{
  events: BridgeEvent[]
  cameras: { device_id: string; name: string }[]
}> {
  const library = await SceneLibrary.open(fileURLToPath(new URL('../../scenes', import.meta.url)))
  const scenes = Object.entries(library.manifest.scenes)
  const actions = scenes.flatMap(([scene, { lights }]) =>
    LIGHTS.flatMap((light) => lights[light].actions.map(({ id }) => ({ scene, light, action: id }))),
  )
  const events = actions.map((one, n): BridgeEvent => {
    const event = eventOf(library, { ...one, device_id: one.scene.replace('-', '_'), at: BEGAN + n * MINUTE })
    const event_id = `${one.scene}/${one.light}/${one.action}`
    return { ...event, event_id, clip_object: null, thumb_object: null }
  })
  return { events, cameras: scenes.map(([scene, { name }]) => ({ device_id: scene.replace('-', '_'), name })) }
}

/** What the usual way finds: clips in whose words all words of three letters and more occur, the newest first. */
function like(events: readonly BridgeEvent[], query: string): string[] {
  const words = (query.toLowerCase().match(/\p{L}{3,}/gu) ?? []) as string[]
  const texts = events.map(({ title, event_values, moments = [] }) =>
    [title, ...event_values, ...moments.map(({ text }) => text)].join(' ').toLowerCase(),
  )
  const found = events.filter((_, i) => words.every((word) => texts[i]?.includes(word)))
  return found.toReversed().map(({ event_id }) => event_id)
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Quality of the order on the fixed queries, those that were looked at while it was made and those that were not, beside plain LIKE. */
export async function measureSearchQuality(say: (line: string) => void = () => {}): Promise<Figure[]> {
  const { events, cameras } = await sceneEvents()
  const { sql, transaction } = openSql()
  transaction(() => {
    for (const event of events) insertEvent(sql, event)
  })
  const view = [{ devices: cameras.map(({ device_id }) => device_id), since: 0, free: false }]
  const range = { devices: [], tags: [], start: BEGAN - MINUTE, end: BEGAN + 1000 * MINUTE }
  const scored: { ours: number; plain: number; heldOut: boolean }[] = []
  for (const [n, { query, answers }] of ASKED.entries()) {
    const { found } = await findInHome(sql, cameras, { query, ...range }, view)
    const order = found.map(({ match }) => match.event.event_id)
    const [ours, plain] = [ndcg(order, answers), ndcg(like(events, query), answers)]
    if (n % 2 === 0) say(`${ours.toFixed(2)} ${plain.toFixed(2)} ${query}: ${order.slice(0, 6).join(' ')}`)
    scored.push({ ours, plain, heldOut: n % 2 === 1 })
  }
  const halves = [
    ['tuning', scored.filter(({ heldOut }) => !heldOut)],
    ['held out', scored.filter(({ heldOut }) => heldOut)],
  ] as const
  return halves.flatMap(([name, half]): Figure[] => {
    const [ours, plain] = [mean(half.map((one) => one.ours)), mean(half.map((one) => one.plain))]
    const queries = `${half.length} queries, ${name}`
    return [
      { what: `search: nDCG@10, ${queries}`, value: ours, unit: '', goal: 0.9, bound: 'min' },
      { what: `search: nDCG@10 above plain LIKE, ${queries}`, value: ours - plain, unit: '', goal: 0.25, bound: 'min' },
    ]
  })
}

if (import.meta.main) console.log(await measureSearchQuality(console.log))
