// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { Feedback } from '../../../../src/islands/events/parts/Feedback.tsx'
import { MoreMenu } from '../../../../src/islands/events/parts/PlayerMenu.tsx'
import type { ClipPlayer, PlayerState } from '../../../../src/media/clip/clip-player.ts'
import { $feedBack, $feedbackSwitch, sendEventVerdict } from '../../../../src/stores/events/event-feedback.ts'
import { $viewport } from '../../../../src/stores/shell/viewport.ts'
import { answerWith } from '../../../support/client.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const event: Event = {
  ...{ event_id: 'e1', device_id: 'CAM1', event_ts: 1, tags: ['4'], event_values: [], title: 'Motion' },
  ...{ event_resources: [], reviewed: true },
}
// The menu calls the player only when an item is chosen; these tests choose none.
const player = {} as ClipPlayer
const state = { loop: false } as PlayerState

const place = document.createElement('div')
let root: ReturnType<typeof createRoot>
beforeEach(() => {
  $feedBack.set(false)
  $feedbackSwitch.set(true)
  $viewport.set({ isMobile: false, isSmall: false })
  root = createRoot(place)
})
afterEach(() => act(() => root.unmount()))

const line = (name: string) =>
  [...place.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(name))

test('FEEDBACK-02 the clip menu turns the question about the label off and on again', () => {
  act(() =>
    root.render(
      <>
        <Feedback event={event} isOwner={false} />
        <MoreMenu player={player} state={state} />
      </>,
    ),
  )
  const isAsked = () => place.textContent?.includes('Is this label right?')
  expect(isAsked()).toBe(true)
  act(() => line('Ask whether labels are right')?.click())
  expect([isAsked(), $feedbackSwitch.get()]).toEqual([false, false])
  act(() => line('Ask whether labels are right')?.click())
  expect([isAsked(), $feedbackSwitch.get()]).toEqual([true, true])
})

test('FEEDBACK-01 the note on how feedback is used is shown until the first feedback is given', async () => {
  answerWith({ feedback: { code: 200, data: { feedback: 'right' } } })
  act(() => root.render(<Feedback event={event} isOwner={false} />))
  expect(place.textContent).toContain('saved with the event')
  await act(() => sendEventVerdict(event, 'right'))
  expect(place.textContent).not.toContain('saved with the event')
})

test('LAYOUT-10 a phone, which has no keyboard, shows no keyboard shortcuts', () => {
  act(() => root.render(<MoreMenu player={player} state={state} />))
  expect(line('Repeat')?.querySelector('kbd')).not.toBeNull()
  act(() => $viewport.set({ isMobile: true, isSmall: true }))
  expect(line('Repeat')?.querySelector('kbd')).toBeNull()
})
