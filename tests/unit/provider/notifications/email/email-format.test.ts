import { expect, test } from 'vitest'
import { createZonedFormats, formatShortDay } from '../../../../../provider/notifications/email/email-format.ts'
import { buildEmail } from '../../../../../provider/notifications/email/email-templates.ts'
import { SAMPLE_FACTS } from '../../../../support/email-samples.ts'

/** December 23, 2026, 01:30 UTC: still December 22 in New York. */
const AT = Date.UTC(2026, 11, 23, 1, 30)

test('OPEN-168 emails show dates and times in the time zone of the home', () => {
  const { formatDay, formatFullDay, formatMoment } = createZonedFormats('America/New_York')
  expect([formatDay(AT), formatFullDay(AT), formatMoment(AT)]).toEqual([
    'December 22',
    'December 22, 2026',
    'December 22, 2026 at 8:30 PM EST',
  ])
  expect(createZonedFormats('UTC').formatMoment(AT)).toBe('December 23, 2026 at 1:30 AM UTC')
})

test('OPEN-168 an email uses the zone that it is given, and UTC without one', () => {
  const facts = { ...SAMPLE_FACTS.trial_ends, at: AT }
  expect(buildEmail('trial_ends', facts, { formats: createZonedFormats('America/New_York') }).subject).toContain(
    'on December 22',
  )
  expect(buildEmail('trial_ends', facts).subject).toContain('on December 23')
})

test('a short day has its year only in another year', () => {
  expect([formatShortDay(AT, AT), formatShortDay(AT, Date.UTC(2027, 0, 4))]).toEqual(['Dec 23', 'Dec 23, 2026'])
})
