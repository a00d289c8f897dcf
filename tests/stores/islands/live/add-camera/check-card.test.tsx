// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CheckStep } from '../../../../../contract/cameras/camera-setup.ts'
import { AddressForm } from '../../../../../src/islands/live/add-camera/AddressForm.tsx'
import { CheckCard } from '../../../../../src/islands/live/add-camera/CheckCard.tsx'
import { applyBridgeResponse, createCheck, endCheck } from '../../../../../src/stores/add-camera/camera-checks.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const container = document.createElement('div')
let root: Root
const ignore = () => undefined
const INPUT = { address: '192.168.1.40', user: 'viewer', password: 'x' }

beforeEach(() => {
  root = createRoot(container)
})
afterEach(() => act(() => root.unmount()))

/** Renders the card of a check that failed at `step`. Without a step, the bridge did not execute the check. */
async function renderFailedCheck(step?: CheckStep): Promise<void> {
  const check = createCheck(INPUT.address, INPUT)
  const failed =
    step && applyBridgeResponse(check, { answer: 'step', step, state: 'failed', ms: 5, words: 'Reason.' }, 5)
  const ended = endCheck(failed ?? check, step ? '' : 'Your hub is offline.')
  await act(async () => root.render(<CheckCard check={ended} editAddress={ignore} close={ignore} />))
}
const getHeadline = () => container.querySelector('.add-picture > b')?.textContent
const getRetryButton = () => container.querySelector('footer > .btn-white')

test('a failed check has a headline for its step, and the key icon only for a login', async () => {
  await renderFailedCheck('reachable')
  expect(getHeadline()).toBe('Couldn’t connect')
  expect(getRetryButton()?.textContent).toBe('Change address')
  expect(getRetryButton()?.querySelector('.lucide-pen')).not.toBeNull()
  await renderFailedCheck('signed_in')
  expect(getHeadline()).toBe('Wrong username or password')
  expect(getRetryButton()?.textContent).toBe('Change login')
  expect(getRetryButton()?.querySelector('.lucide-key-round')).not.toBeNull()
  await renderFailedCheck('picture')
  expect(getHeadline()).toBe('No video')
  await renderFailedCheck()
  expect(getHeadline()).toBe('Check incomplete')
})

test('an address that the hub could not reach is marked in the form', async () => {
  const fixed = { typed: INPUT, brand: '', isLoginRejected: false, isDisabled: false, wasChecked: true }
  const form = (isUnreachable: boolean) => (
    <AddressForm {...fixed} setTyped={ignore} setBrand={ignore} passwordRef={null} isUnreachable={isUnreachable} />
  )
  const getInvalid = () => container.querySelector('input[name="address"]')?.getAttribute('aria-invalid')
  await act(async () => root.render(form(true)))
  expect(getInvalid()).toBe('true')
  await act(async () => root.render(form(false)))
  expect(getInvalid()).toBeNull()
})
