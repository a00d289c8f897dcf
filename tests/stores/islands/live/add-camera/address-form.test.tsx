// @vitest-environment jsdom
import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { INVALID_ADDRESS_TEXT } from '../../../../../contract/cameras/camera-address.ts'
import { AddressForm } from '../../../../../src/islands/live/add-camera/AddressForm.tsx'
import { $cameraChecks, type TypedCamera } from '../../../../../src/stores/add-camera/camera-checks.ts'
import { stubApiResponses } from '../../../../support/client.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const container = document.createElement('div')
let root: Root

function TestForm() {
  const [camera, setCamera] = useState<TypedCamera>({ address: '', user: '', password: '' })
  const [brand, setBrand] = useState('')
  const fixed = {
    isLoginRejected: false,
    isUnreachable: false,
    isDisabled: false,
    wasChecked: false,
    passwordRef: null,
  }
  return <AddressForm {...fixed} typed={camera} setTyped={setCamera} brand={brand} setBrand={setBrand} />
}

const findAddress = () => container.querySelector<HTMLInputElement>('input[name="address"]')!
const getError = () => container.querySelector('[role="alert"]')?.textContent ?? ''

async function typeAddress(address: string): Promise<void> {
  await act(async () => {
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    findAddress().focus()
    setValue?.call(findAddress(), address)
    findAddress().dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const leaveAddress = () => act(async () => findAddress().blur())
const submit = () => act(async () => container.querySelector('form')?.requestSubmit())

beforeEach(async () => {
  document.body.append(container)
  root = createRoot(container)
  await act(async () => root.render(<TestForm />))
})
afterEach(() => {
  act(() => root.unmount())
  container.remove()
  $cameraChecks.set([])
  vi.unstubAllGlobals()
})

test('an invalid address is reported at its field, sends nothing and adds no card', async () => {
  const requests = stubApiResponses({})
  await typeAddress('hello')
  expect(getError()).toBe('')
  await leaveAddress()
  expect(getError()).toBe(INVALID_ADDRESS_TEXT)
  await submit()
  expect([requests.length, $cameraChecks.get().length, document.activeElement]).toEqual([0, 0, findAddress()])
  expect(findAddress().getAttribute('aria-invalid')).toBe('true')
  await typeAddress('192.168.1.20')
  expect(getError()).toBe('')
})

test('an empty address is reported only on submit', async () => {
  const requests = stubApiResponses({})
  await typeAddress('')
  await leaveAddress()
  expect(getError()).toBe('')
  await submit()
  expect([requests.length, getError()]).toEqual([0, INVALID_ADDRESS_TEXT])
})

test.each([
  ['me:p@ss@192.168.1.20', '192.168.1.20'],
  ['rtsp://me:p%40ss@192.168.1.20/live', 'rtsp://192.168.1.20/live'],
])('the login of %s moves into its fields', async (address, rest) => {
  await typeAddress(address)
  await leaveAddress()
  const values = [...container.querySelectorAll('input')].map(({ value }) => value)
  expect(values).toEqual([rest, 'me', 'p@ss'])
  expect(getError()).toBe('')
})
