// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { Feedback } from '../../../../src/islands/events/parts/Feedback.tsx'
import { PlayerMenu } from '../../../../src/islands/events/parts/PlayerMenu.tsx'
import type { ClipPlayer, PlayerState } from '../../../../src/media/clip/clip-player.ts'
import { $feedBack, $feedbackSwitch, sendEventVerdict } from '../../../../src/stores/events/event-feedback.ts'
import { $viewport } from '../../../../src/stores/shell/viewport.ts'
import { stubApiResponses } from '../../../support/client.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const event: Event = {
  event_id: 'e1',
  device_id: 'CAM1',
  event_ts: 1,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: true,
}
// The menu calls the player only when an item is chosen; these tests choose none.
const player = {} as ClipPlayer
const state = { loop: false } as PlayerState

const container = document.createElement('div')
let root: ReturnType<typeof createRoot>
beforeEach(() => {
  $feedBack.set(false)
  $feedbackSwitch.set(true)
  $viewport.set({ isMobile: false, isSmall: false })
  root = createRoot(container)
})
afterEach(() => act(() => root.unmount()))

const findMenuItem = (name: string) =>
  [...container.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(name))

test('FEEDBACK-02 the clip menu turns the question about the label off and on again', () => {
  act(() =>
    root.render(
      <>
        <Feedback event={event} isOwner={false} />
        <PlayerMenu player={player} state={state} />
      </>,
    ),
  )
  const isQuestionShown = () => container.textContent?.includes('Is this label right?')
  expect(isQuestionShown()).toBe(true)
  act(() => findMenuItem('Rate event labels')?.click())
  expect([isQuestionShown(), $feedbackSwitch.get()]).toEqual([false, false])
  act(() => findMenuItem('Rate event labels')?.click())
  expect([isQuestionShown(), $feedbackSwitch.get()]).toEqual([true, true])
})

test('a check mark, and not only color, shows which switches of the clip menu are on', () => {
  act(() => root.render(<PlayerMenu player={player} state={state} />))
  const countIcons = (name: string) => findMenuItem(name)?.querySelectorAll('svg').length
  expect([countIcons('Repeat'), countIcons('Rate event labels')]).toEqual([1, 2])
  act(() => root.render(<PlayerMenu player={player} state={{ ...state, loop: true }} />))
  act(() => $feedbackSwitch.set(false))
  expect([countIcons('Repeat'), countIcons('Rate event labels')]).toEqual([2, 1])
})

test('FEEDBACK-01 feedback is confirmed, with a note that a second tap undoes it', async () => {
  stubApiResponses({ feedback: { code: 200, data: { feedback: 'right' } } })
  act(() => root.render(<Feedback event={event} isOwner={false} />))
  expect(container.textContent).not.toContain('Tap again to undo')
  await act(() => sendEventVerdict(event, 'right'))
  expect(container.textContent).toContain('Saved. Select your answer again to undo.')
})

test('LAYOUT-10 a phone, which has no keyboard, shows no keyboard shortcuts', () => {
  act(() => root.render(<PlayerMenu player={player} state={state} />))
  expect(findMenuItem('Repeat')?.querySelector('kbd')).not.toBeNull()
  act(() => $viewport.set({ isMobile: true, isSmall: true }))
  expect(findMenuItem('Repeat')?.querySelector('kbd')).toBeNull()
})
