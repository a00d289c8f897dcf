import type { SqlStorage } from '@cloudflare/workers-types'
import type { BridgeEvent, Moment } from '../../contract/bridge/bridge-protocol.ts'
import type { PostMoments } from '../../contract/bridge/event-descriptions.ts'
import { recognize } from './recognition.ts'

export function recognizedEvent(sql: SqlStorage, event: BridgeEvent, isDemo: boolean, now: number): BridgeEvent {
  const { event_values, title, moments } = event
  const report = { values: event_values, texts: [title, ...(moments ?? []).map(({ text }) => text)] }
  const { values, texts } = recognize(sql, report, isDemo, now)
  const [titleWithTokens = '', ...sentences] = texts
  return {
    ...event,
    event_values: values,
    title: titleWithTokens,
    ...(moments && { moments: withTexts(moments, sentences) }),
  }
}

export function recognizedMoments(
  sql: SqlStorage,
  description: PostMoments,
  isDemo: boolean,
  now: number,
): PostMoments {
  const { title, moments } = description
  const report = { values: description.values, texts: [title ?? '', ...moments.map(({ text }) => text)] }
  const { values, texts } = recognize(sql, report, isDemo, now)
  const [titleWithTokens = '', ...sentences] = texts
  return {
    ...description,
    values,
    moments: withTexts(moments, sentences),
    ...(title !== undefined && { title: titleWithTokens }),
  }
}

const withTexts = (moments: readonly Moment[], texts: readonly string[]): Moment[] =>
  moments.map((moment, i) => ({ ...moment, text: texts[i] ?? '' }))
