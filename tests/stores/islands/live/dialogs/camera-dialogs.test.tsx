import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Zones } from '../../../../../src/domain/live/motion-zones.ts'
import { formatStepTime, listConnectionSteps } from '../../../../../src/islands/live/dialogs/connection-labels.ts'
import { MotionFields } from '../../../../../src/islands/live/dialogs/MotionFields.tsx'
import { QualitySection } from '../../../../../src/islands/live/dialogs/QualitySection.tsx'
import { RemoveCamera } from '../../../../../src/islands/live/dialogs/RemoveCamera.tsx'
import { SharingSection } from '../../../../../src/islands/live/dialogs/SharingSection.tsx'
import { InsetVideo } from '../../../../../src/islands/live/parts/InsetVideo.tsx'
import { CONNECTION_STEPS } from '../../../../../src/media/live/tile-state-machine.ts'
import { $devices, toDevice } from '../../../../../src/stores/home/devices.ts'
import { $streams } from '../../../../../src/stores/live/stream-tickets.ts'
import { $toast, closeToast } from '../../../../../src/stores/shell/toasts.ts'
import { stubApiResponses, type SentRequest } from '../../../../support/client.ts'
import { extractFacts } from '../../../../support/facts.ts'

const camera = toDevice({
  device_id: 'a',
  device_model: 'PL-CAM-V1',
  nickname: 'Driveway',
  device_order: 0,
  role: 1,
  device_category: 'camera',
})

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => {
  act(() => root.unmount())
  while ($toast.get()) closeToast()
})

const findButton = (name: RegExp) =>
  [...document.querySelectorAll('button')].find((element) =>
    name.test(element.getAttribute('aria-label') ?? element.textContent),
  )
const clickButton = (name: RegExp) => act(async () => findButton(name)?.click())
const pressKeyOn = (name: RegExp, init: KeyboardEventInit) =>
  act(async () =>
    findButton(name)?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })),
  )

describe('connection steps', () => {
  const steps = { ticket: 700, signalling: 1000, answered: 1500, playing: 1150, 'waiting-for-keyframe': 2400 }

  test('of a connection without video are listed in the order of completion, followed by pending ones', () => {
    expect(listConnectionSteps({ steps, transport: null })).toEqual([
      'ticket',
      'signalling',
      'playing',
      'answered',
      'waiting-for-keyframe',
      'connected',
    ])
    expect(listConnectionSteps({ steps: {}, transport: null })).toEqual(CONNECTION_STEPS)
  })

  test('of playing video are those that its transport has taken', () => {
    expect(listConnectionSteps({ steps, transport: 'mse' })).toEqual(['ticket', 'signalling', 'playing'])
    expect(listConnectionSteps({ steps, transport: 'webrtc' })).toEqual([
      'ticket',
      'signalling',
      'playing',
      'answered',
      'waiting-for-keyframe',
    ])
  })
})

test('the time of a connection step is in seconds from one second on', () => {
  expect([340, 1000, 11_593].map(formatStepTime)).toEqual(['340 ms', '1.0 s', '11.6 s'])
})

describe('motion zones', () => {
  let zones: Zones = []
  function Editor() {
    const [settings, setSettings] = useState({ motion: true, sensitivity: 50, zones: [] as Zones })
    zones = settings.zones
    return <MotionFields deviceId="a" settings={settings} onChange={setSettings} />
  }

  test('are drawn with the keyboard alone, and each corner announces its position', async () => {
    await act(async () => root.render(<Editor />))
    await clickButton(/Add zone/)
    await pressKeyOn(/^Zone 1, corner 1 /, { key: 'ArrowLeft' })
    await pressKeyOn(/^Zone 1, corner 1 /, { key: 'ArrowUp', shiftKey: true })
    const label = findButton(/^Zone 1, corner 1 /)?.getAttribute('aria-label') ?? ''
    expect(extractFacts(label)).toEqual(['1', '1', '4', '29%', '20%'])
    await pressKeyOn(/^Zone 1, corner 1 /, { key: '+' })
    expect(zones[0]).toHaveLength(5)
    await pressKeyOn(/^Zone 1, corner 2 /, { key: 'Delete' })
    expect(zones[0]).toHaveLength(4)
    await clickButton(/^Remove zone 1/)
    expect(zones).toEqual([])
  })
})

describe('camera sharing', () => {
  const typeEmail = (email: string) =>
    act(async () => {
      const field = document.querySelector<HTMLInputElement>('input[type=email]')!
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, email)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
  const submit = (times = 1) =>
    act(async () => {
      for (let time = 0; time < times; time += 1)
        document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    })
  const listShareRequests = (requests: readonly SentRequest[]) =>
    requests.filter(({ path }) => path.endsWith('/share')).map(({ body }) => body)

  test('sends one request however often it is submitted, and keeps the address after a failure', async () => {
    const requests = stubApiResponses({
      share: { code: 400, msg: 'Seen already.' },
      shares: { code: 200, data: { shares: [] } },
    })
    await act(async () => root.render(<SharingSection camera={camera} />))
    await typeEmail('sam@example.com')
    await submit(2)
    expect(listShareRequests(requests)).toHaveLength(1)
    expect(document.querySelector('[role="alert"]')?.textContent).toBe('Seen already.')
    expect(document.querySelector('input')?.value).toBe('sam@example.com')
  })

  test('OPEN-164 shows the invitation as a link and a QR code if the provider sends no mail', async () => {
    const invitation = { url: 'https://provider.example/i', qr: { size: 29, path: 'M0 0h7' }, expires_at: 9 }
    stubApiResponses({
      share: { code: 200, data: { invitation } },
      shares: { code: 200, data: { shares: [], invites: 'link' } },
    })
    const copied: string[] = []
    Object.assign(navigator, { clipboard: { writeText: async (text: string) => void copied.push(text) } })
    await act(async () => root.render(<SharingSection camera={camera} />))
    expect(document.body.textContent).toContain('you’ll get a link to send')
    await typeEmail('sam@example.com')
    await submit()
    const section = document.querySelector('[aria-label="Invitation for sam@example.com"]')
    expect(section?.querySelector('code')?.textContent).toBe(invitation.url)
    expect(section?.querySelector('svg[role=img] path')?.getAttribute('d')).toBe(invitation.qr.path)
    await clickButton(/^Copy link$/)
    expect(copied).toEqual([invitation.url])
    expect(findButton(/^Copied$/)).toBeDefined()
  })

  test('covers all own cameras with one request, and offers this only to owners of several', async () => {
    const requests = stubApiResponses({
      share: { code: 200, data: {} },
      shares: { code: 200, data: { shares: [] } },
    })
    const findCheckbox = () => document.querySelector<HTMLInputElement>('input[type=checkbox]')
    const guestCamera = { ...camera, device_id: 'b', user_role: 2 }
    $devices.set({ state: 'ready', devices: [camera, guestCamera] })
    await act(async () => root.render(<SharingSection camera={camera} />))
    expect(findCheckbox()).toBeNull()
    await act(async () => $devices.set({ state: 'ready', devices: [camera, { ...guestCamera, user_role: 1 }] }))
    await act(async () => findCheckbox()?.click())
    await typeEmail('sam@example.com')
    await submit()
    expect(listShareRequests(requests)).toMatchObject([{ device_id: 'a', email: 'sam@example.com', all_cameras: true }])
    expect(findCheckbox()?.checked).toBe(false)
  })
})

describe('shared camera', () => {
  const listGroupLabels = () =>
    [...document.querySelectorAll('[role="group"]')].map((element) => element.getAttribute('aria-label'))

  test('offers the owner video settings for all viewers, and guests those of their own browser', async () => {
    stubApiResponses({})
    const stream = { device_id: 'a', provider: 'lake' as const, signalling_url: '', ice_servers: [], battery: false }
    $streams.set({ a: { ...stream, renditions: ['360p', '720p'], dual: true, audio: true } })
    const show = (user_role: number) => {
      const shownCamera = { ...camera, user_role, isLake: true, p2p_providers: ['lake'] }
      return act(async () =>
        root.render([<QualitySection key="p" camera={shownCamera} />, <InsetVideo key="i" camera={shownCamera} />]),
      )
    }
    await show(1)
    expect(listGroupLabels()).toEqual(['Video quality', 'Maximum quality'])
    expect(findButton(/swap lenses/)).toBeDefined()
    expect(findButton(/^Turn off$/)).toBeDefined()
    await show(2)
    expect(listGroupLabels()).toEqual(['Video quality'])
    expect(document.querySelector('video')).not.toBeNull()
    expect(findButton(/swap lenses|^Turn off$/)).toBeUndefined()
  })
})

describe('camera removal', () => {
  test('asks first, names the camera, and removes it only after the second press', async () => {
    const requests = stubApiResponses({ 'camera-remove': { code: 429 } })
    await act(async () => root.render(<RemoveCamera camera={camera} />))
    await clickButton(/^Remove camera$/)
    const question = document.querySelector('[role="group"]')
    expect([question?.getAttribute('aria-label'), question?.textContent]).toEqual([
      'Remove camera',
      expect.stringMatching(/^Remove Driveway for everyone\?/),
    ])
    expect(requests).toEqual([])
    await clickButton(/^Keep camera$/)
    await clickButton(/^Remove camera$/)
    await clickButton(/^Remove Driveway$/)
    expect(requests.map(({ body }) => body)).toEqual([{ device_id: 'a' }])
    expect($toast.get()?.text).toMatch(/too frequently/)
  })
})
