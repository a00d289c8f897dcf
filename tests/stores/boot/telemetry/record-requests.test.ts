import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readLoggedEntries } from '../../../../src/stores/shell/action-log.ts'
import { clearUserData } from '../../../../src/stores/storage/safe-storage.ts'

const createExchange = (url: string, status = 200) => ({ at: Date.now(), method: 'GET', url, status, ms: 5 })
const leavePage = () => dispatchEvent(new Event('pagehide'))
const listLoggedUrls = () => readLoggedEntries().map(({ url }) => url)

async function openPage() {
  vi.resetModules()
  const { recordRequest } = await import('../../../../src/boot/telemetry/request-buffer.ts')
  const { recordSignedInRequests } = await import('../../../../src/boot/telemetry/record-signed-in-requests.ts')
  return {
    recordRequest,
    recordSignedInRequests,
    startRecording: async () => (await import('../../../../src/boot/telemetry/record-requests.ts')).recordRequests(),
  }
}

describe('action log of a page', () => {
  beforeEach(() => {
    localStorage.clear()
  })

  test('OPEN-137 includes requests that were sent before the recorder loaded', async () => {
    localStorage.setItem('userId', 'u_1')
    const { recordRequest, startRecording } = await openPage()
    recordRequest(createExchange('/api/auth/me'))
    await startRecording()
    recordRequest(createExchange('/api/p/new-device/app/v4/home', 503))
    leavePage()
    expect(listLoggedUrls()).toEqual(['/api/auth/me', '/api/p/new-device/app/v4/home'])
  })

  test('OPEN-137 OPEN-114 records nothing after another tab has signed out', async () => {
    localStorage.setItem('userId', 'u_1')
    const { recordRequest, startRecording } = await openPage()
    await startRecording()
    recordRequest(createExchange('/api/p/new-device/app/v4/home'))
    clearUserData()
    leavePage()
    expect(Object.keys(localStorage)).toEqual([])
  })

  test('OPEN-137 records without a session only for a user who is still known', async () => {
    const stranger = await openPage()
    stranger.recordRequest(createExchange('/api/auth/me'))
    stranger.recordSignedInRequests()
    await vi.dynamicImportSettled()
    leavePage()
    expect(Object.keys(localStorage)).toEqual([])

    localStorage.setItem('userId', 'u_1')
    const identifiedPage = await openPage()
    identifiedPage.recordRequest(createExchange('/api/auth/me'))
    identifiedPage.recordSignedInRequests()
    await vi.dynamicImportSettled()
    leavePage()
    expect(listLoggedUrls()).toEqual(['/api/auth/me'])
  })
})
