import type { SqlStorage } from '@cloudflare/workers-types'
import type { BridgeEvent, Moment } from '../../contract/bridge/bridge-protocol.ts'
import type { PostMomentsRequest } from '../../contract/bridge/event-descriptions.ts'
import { recognizePeople } from './recognition.ts'

export function recognizeEvent(sql: SqlStorage, event: BridgeEvent, isDemo: boolean, now: number): BridgeEvent {
  const { event_values, title, moments } = event
  const report = { values: event_values, texts: [title, ...(moments ?? []).map(({ text }) => text)] }
  const { values, texts } = recognizePeople(sql, report, isDemo, now)
  const [titleWithTokens = '', ...sentences] = texts
  return {
    ...event,
    event_values: values,
    title: titleWithTokens,
    ...(moments && { moments: replaceMomentTexts(moments, sentences) }),
  }
}

export function recognizeDescription(
  sql: SqlStorage,
  description: PostMomentsRequest,
  isDemo: boolean,
  now: number,
): PostMomentsRequest {
  const { title, moments } = description
  const report = { values: description.values, texts: [title ?? '', ...moments.map(({ text }) => text)] }
  const { values, texts } = recognizePeople(sql, report, isDemo, now)
  const [titleWithTokens = '', ...sentences] = texts
  return {
    ...description,
    values,
    moments: replaceMomentTexts(moments, sentences),
    ...(title !== undefined && { title: titleWithTokens }),
  }
}

const replaceMomentTexts = (moments: readonly Moment[], texts: readonly string[]): Moment[] =>
  moments.map((moment, i) => ({ ...moment, text: texts[i] ?? '' }))
