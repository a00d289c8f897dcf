import type { SqlStorage } from '@cloudflare/workers-types'
import { type EventTexts, rewriteAllEventTexts, rewriteEventTextsStep } from './event-texts.ts'
import { UNRECOGNIZED_PERSON, replacePersonTokens, toPersonToken } from './person-token.ts'
import { isPersonValue, storeRecognition, recognizePeople } from './recognition.ts'

/**
 * Migrates events of earlier versions: replaces stored names by person tokens. If any event contains a name, turns
 * recognition on and stores each name with its person. `now`: ms UTC.
 */
export function migrateStoredNames(sql: SqlStorage, now: number): void {
  const replaceNames = (texts: EventTexts): EventTexts | null => {
    if (!texts.values.some(isPersonValue)) return null
    const { own_title: originalTitle, sentences } = texts
    const reportTexts = [texts.title, ...(originalTitle === null ? [] : [originalTitle]), ...(sentences ?? [])]
    const recognized = recognizePeople(sql, { values: texts.values, texts: reportTexts }, false, now)
    const rest = [...recognized.texts]
    return {
      title: rest.shift() ?? '',
      own_title: originalTitle === null ? null : (rest.shift() ?? ''),
      sentences: sentences && rest,
      values: recognized.values,
    }
  }
  const hasPeople = sql
    .exec<{ value: string }>('SELECT DISTINCT value FROM events, json_each(labels)')
    .toArray()
    .some(({ value }) => isPersonValue(value))
  if (!hasPeople) return
  storeRecognition(sql, { is_on: 1, guests: 0, takes_names: 1 })
  for (let docId: string | null = '-1'; docId !== null;) docId = rewriteEventTextsStep(sql, docId, replaceNames)
  storeRecognition(sql, { is_on: 1, guests: 0, takes_names: 0 })
}

export async function removePeopleFromEvents(sql: SqlStorage, persons: readonly number[]): Promise<void> {
  const removedPersons = new Set(persons)
  const removePeople = (text: string) =>
    replacePersonTokens(text, (person) => toPersonToken(removedPersons.has(person) ? UNRECOGNIZED_PERSON : person))
  await rewriteAllEventTexts(sql, ({ title, own_title, sentences, values }) => {
    const texts = [title, own_title ?? '', ...(sentences ?? []), ...values]
    if (texts.every((text) => removePeople(text) === text)) return null
    return {
      title: removePeople(title),
      own_title: own_title && removePeople(own_title),
      sentences: sentences && sentences.map(removePeople),
      values: values.filter((value) => removePeople(value) === value),
    }
  })
}
