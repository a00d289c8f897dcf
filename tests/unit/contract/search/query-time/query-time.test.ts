import { describe, expect, test } from 'vitest'
import { parseQueryTime } from '../../../../../contract/search/query-time/query-time.ts'

const ZONE = 'America/New_York'
/** Thursday, 26 November 2026, 14:30 in `ZONE`. */
const NOW = Date.UTC(2026, 10, 26, 19, 30)

const formatClock = (time: number | null, zone: string) =>
  time === null ? '' : new Date(time).toLocaleString('sv-SE', { timeZone: zone }).slice(5, 16)
const formatHour = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

/**
 * Formats the time that a query names, such as `11-25 20:00 to 11-26 05:59` or `2:00-4:00 each day`, and the remaining
 * query. Returns `nothing` if the query names no time.
 */
function describeTime(query: string, now = NOW, zone = ZONE): string {
  const time = parseQueryTime(query, now, zone)
  if (!time) return 'nothing'
  const span = (time.start ?? time.end) ? `${formatClock(time.start, zone)} to ${formatClock(time.end, zone)}` : ''
  const hours = time.hours ? `${time.hours.map(formatHour).join('-')} each day` : ''
  return [span, hours, `(${time.rest})`].filter(Boolean).join(' ')
}

describe('query time', () => {
  test.each([
    ['who came last night', '11-25 20:00 to 11-26 05:59 (who came)'],
    ['anyone tonight?', '11-26 20:00 to 11-27 05:59 (anyone?)'],
    ['yesterday?', '11-25 00:00 to 11-25 23:59 ()'],
    ['a cat between 2 and 4 pm', '14:00-16:00 each day (a cat)'],
    ['a cat between 2 and 4', '14:00-16:00 each day (a cat)'],
    ['two people after 10 pm yesterday', '11-25 22:00 to 11-25 23:59 (two people)'],
    ['dog before noon on Monday', '11-23 00:00 to 11-23 11:59 (dog)'],
    ['a cat between 6:00 and 20:00', '6:00-20:00 each day (a cat)'],
    ['a cat between 22 and 6', '22:00-6:00 each day (a cat)'],
    ['parcel around 3 pm', '14:30-15:30 each day (parcel)'],
    ['a car 3 hours ago', '11-26 11:00 to 11-26 12:00 (a car)'],
    ['somebody 2 days ago', '11-24 00:00 to 11-24 23:59 (somebody)'],
    ['a fox two weeks ago', '11-09 00:00 to 11-15 23:59 (a fox)'],
    ['fox yesterday at 00:10', '11-24 23:40 to 11-25 00:39 (fox)'],
    ['fox yesterday at 23:50', '11-25 23:20 to 11-26 00:19 (fox)'],
    ['dog Monday to Wednesday', '11-23 00:00 to 11-25 23:59 (dog)'],
    ['dog until Monday', ' to 11-23 23:59 (dog)'],
    ['Hund bis Montag', ' to 11-23 23:59 (Hund)'],
    ['fox at the weekend', '11-21 00:00 to 11-22 23:59 (fox)'],
    ['dogs last weekend', '11-14 00:00 to 11-15 23:59 (dogs)'],
    ['this week a courier', '11-23 00:00 to 11-26 23:59 (a courier)'],
    ['courier last week', '11-16 00:00 to 11-22 23:59 (courier)'],
    ['foxes this month', '11-01 00:00 to 11-30 23:59 (foxes)'],
    ['foxes in October', '10-01 00:00 to 10-31 23:59 (foxes)'],
    ['van on 22 November', '11-22 00:00 to 11-22 23:59 (van)'],
    ['van on November 22nd', '11-22 00:00 to 11-22 23:59 (van)'],
    ['2026-11-20 van', '11-20 00:00 to 11-20 23:59 (van)'],
    ['van on 11/22', '11-22 00:00 to 11-22 23:59 (van)'],
    ['raccoon at night', '20:00-6:00 each day (raccoon)'],
    ['last night between 2 and 4', '11-26 02:00 to 11-26 03:59 ()'],
    ['man at 14:30', '14:00-15:00 each day (man)'],
    ['in the last 3 hours', '11-26 11:30 to 11-26 14:30 ()'],
    ['anybody since yesterday', '11-25 00:00 to 11-26 14:30 (anybody)'],
    ['from Monday to Wednesday a cat', '11-23 00:00 to 11-25 23:59 (a cat)'],
    ['kids in the morning this week', '11-23 00:00 to 11-26 23:59 5:00-12:00 each day (kids)'],
  ])('is parsed in English: %s', (query, expected) => expect(describeTime(query)).toBe(expected))

  test.each([
    ['wer kam gestern nacht', '11-25 20:00 to 11-26 05:59 (wer kam)'],
    ['Katze vor 3 Stunden', '11-26 11:00 to 11-26 12:00 (Katze)'],
    ['nach 22 Uhr ein Auto', '22:00-24:00 each day (ein Auto)'],
    ['zwischen 2 und 4 Uhr nachts ein Fuchs', '2:00-4:00 each day (ein Fuchs)'],
    ['am 22.11. ein Auto', '11-22 00:00 to 11-22 23:59 (ein Auto)'],
    ['heute früh ein Hund', '11-26 05:00 to 11-26 11:59 (ein Hund)'],
    ['un gato anoche', '11-25 20:00 to 11-26 05:59 (un gato)'],
    ['quién vino ayer por la tarde', '11-25 12:00 to 11-25 17:59 (quién vino)'],
    ['perro entre las 2 y las 4 de la tarde', '14:00-16:00 each day (perro)'],
    ['hace 3 horas un coche', '11-26 11:00 to 11-26 12:00 (un coche)'],
    ['un chat la nuit dernière', '11-25 20:00 to 11-26 05:59 (un chat)'],
    ['qui est venu hier soir', '11-25 17:00 to 11-25 22:59 (qui est venu)'],
    ['chien entre 14h30 et 16 heures', '14:30-16:00 each day (chien)'],
    ['les 3 dernières heures', '11-26 11:30 to 11-26 14:30 ()'],
    ['कल रात कौन आया', '11-25 20:00 to 11-26 05:59 (कौन आया)'],
    ['रात में बिल्ली', '20:00-6:00 each day (बिल्ली)'],
    ['2 से 4 बजे के बीच बिल्ली', '14:00-16:00 each day (बिल्ली)'],
    ['पिछले हफ्ते कुत्ता', '11-16 00:00 to 11-22 23:59 (कुत्ता)'],
  ])('is parsed in German, Spanish, French and Hindi: %s', (query, expected) =>
    expect(describeTime(query)).toBe(expected),
  )

  test.each([
    'two people',
    'after 3 people left',
    'may the cat come',
    'vor der Tür ein Mann',
    'box no 31/31',
    'man about 40',
  ])('is absent: %s', (query) => expect(describeTime(query)).toBe('nothing'))
})

describe('query time on the home’s clock', () => {
  const BERLIN = 'Europe/Berlin'

  test('handles nights in which an hour repeats or is skipped', () => {
    const autumn = parseQueryTime('last night', Date.UTC(2026, 9, 25, 9), BERLIN)
    expect(autumn).toMatchObject({ start: Date.UTC(2026, 9, 24, 18), end: Date.UTC(2026, 9, 25, 5) - 1 })
    const spring = parseQueryTime('last night', Date.UTC(2026, 2, 29, 9), BERLIN)
    expect(spring).toMatchObject({ start: Date.UTC(2026, 2, 28, 19), end: Date.UTC(2026, 2, 29, 4) - 1 })
  })

  test('uses the day of the home, not of the user', () => {
    const late = Date.UTC(2026, 10, 26, 23, 30)
    expect(describeTime('today', late, BERLIN)).toBe('11-27 00:00 to 11-27 23:59 ()')
    expect(describeTime('today', late, ZONE)).toBe('11-26 00:00 to 11-26 23:59 ()')
  })

  test('treats "tonight" after midnight as the current night', () => {
    expect(describeTime('tonight', Date.UTC(2026, 10, 26, 7), ZONE)).toBe('11-25 20:00 to 11-26 05:59 ()')
  })
})
