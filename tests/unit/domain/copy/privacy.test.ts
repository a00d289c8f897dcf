import { expect, test } from 'vitest'
import { STORED_EVENT_TYPES } from '../../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_PROPS } from '../../../../contract/telemetry/telemetry-calls.ts'
import { EVENT_LABELS, PROPERTY_LABELS, describeSentEvent } from '../../../../src/domain/copy/privacy.ts'

test('the privacy page describes every stored analytics event and property', () => {
  expect(new Set(Object.keys(EVENT_LABELS))).toEqual(new Set(STORED_EVENT_TYPES))
  expect(new Set(Object.keys(PROPERTY_LABELS))).toEqual(new Set(ANALYTICS_PROPS))
})

test('an event sent by another version is shown with its own name', () => {
  const ids = { insert_id: 'i', session_id: 1, device_id: 'd', app_version: '' }
  const event = { ...ids, event_type: 'Other', time: 1, event_properties: { route: '/live', ms: 7 } }
  expect(describeSentEvent(event)).toMatchObject({ what: 'Other', page: '/live', more: 'ms 7' })
})
