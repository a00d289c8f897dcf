import type { SqlStorage } from '@cloudflare/workers-types'
import { type EventTexts, rewriteAll, rewriteStep } from './event-texts.ts'
import { UNRECOGNIZED_PERSON, replaceTokens, toToken } from './person-token.ts'
import { isPerson, putRecognition, recognize } from './recognition.ts'

/**
 * Migrates events of earlier versions: replaces stored names by tokens. These people keep their names, and recognition
 * stays on. `now` in ms UTC.
 */
export function adoptNames(sql: SqlStorage, now: number): void {
  const adopt = (texts: EventTexts): EventTexts | null => {
    if (!texts.values.some(isPerson)) return null
    const { own_title: own, sentences } = texts
    const reportTexts = [texts.title, ...(own === null ? [] : [own]), ...(sentences ?? [])]
    const recognized = recognize(sql, { values: texts.values, texts: reportTexts }, false, now)
    const rest = [...recognized.texts]
    return {
      title: rest.shift() ?? '',
      own_title: own === null ? null : (rest.shift() ?? ''),
      sentences: sentences && rest,
      values: recognized.values,
    }
  }
  const hasPeople = sql
    .exec<{ value: string }>('SELECT DISTINCT value FROM events, json_each(labels)')
    .toArray()
    .some(({ value }) => isPerson(value))
  if (!hasPeople) return
  putRecognition(sql, { is_on: 1, guests: 0, takes_names: 1 })
  for (let place: string | null = '-1'; place !== null;) place = rewriteStep(sql, place, adopt)
  putRecognition(sql, { is_on: 1, guests: 0, takes_names: 0 })
}

export async function removeFromEvents(sql: SqlStorage, persons: readonly number[]): Promise<void> {
  const removedPersons = new Set(persons)
  const withoutThem = (text: string) =>
    replaceTokens(text, (person) => toToken(removedPersons.has(person) ? UNRECOGNIZED_PERSON : person))
  await rewriteAll(sql, ({ title, own_title, sentences, values }) => {
    const texts = [title, own_title ?? '', ...(sentences ?? []), ...values]
    if (texts.every((text) => withoutThem(text) === text)) return null
    return {
      title: withoutThem(title),
      own_title: own_title && withoutThem(own_title),
      sentences: sentences && sentences.map(withoutThem),
      values: values.filter((value) => withoutThem(value) === value),
    }
  })
}
