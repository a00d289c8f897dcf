import { beforeEach, describe, expect, test } from 'vitest'
import { toDevice } from '../../../src/stores/home/devices.ts'
import { collectDiagnostics } from '../../../src/stores/live/camera-diagnostics.ts'
import { watchPage } from '../../../src/stores/live/live-tiles.ts'
import { $liveConnection, resetLive, setLive, updateLive } from '../../../src/stores/live/connection-results.ts'

beforeEach(resetLive)

describe('connection results', () => {
  test('LIVE-08 keep one list of connected addresses and one of failed addresses', () => {
    expect($liveConnection.get()).toEqual({ success: [], failure: [] })
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'B' })
    expect($liveConnection.get()).toEqual({ success: ['A'], failure: ['B'] })
  })

  test('LIVE-09 take a success flag and a device address', () => {
    updateLive({ success: false, address: 'A' })
    expect($liveConnection.get().failure).toEqual(['A'])
  })

  test('LIVE-10 a success adds the address once and removes it from the failures', () => {
    updateLive({ success: false, address: 'A' })
    updateLive({ success: true, address: 'A' })
    updateLive({ success: true, address: 'A' })
    expect($liveConnection.get()).toEqual({ success: ['A'], failure: [] })
  })

  test('LIVE-11 a failure adds the address once and removes it from the successes', () => {
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'A' })
    updateLive({ success: false, address: 'A' })
    expect($liveConnection.get()).toEqual({ success: [], failure: ['A'] })
  })

  test('LIVE-12 a reset empties both lists', () => {
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'B' })
    resetLive()
    expect($liveConnection.get()).toEqual({ success: [], failure: [] })
  })

  test('LIVE-12 leaving the page empties both lists', () => {
    const stop = watchPage()
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'B' })
    window.dispatchEvent(new Event('pagehide'))
    expect($liveConnection.get()).toEqual({ success: [], failure: [] })
    stop()
  })

  test('LIVE-08 the diagnostic file of a camera states which list it is in', () => {
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'B' })
    const connections = ['A', 'B', 'C'].map((device_id) => {
      const wire = { device_id, device_model: 'M', nickname: '', device_order: 0, role: 1, device_category: 'camera' }
      return (collectDiagnostics(toDevice(wire)) as { connection: string }).connection
    })
    expect(connections).toEqual(['connected', 'failed', 'none'])
  })

  test('LIVE-13 a set keeps only addresses still listed, in both lists', () => {
    updateLive({ success: true, address: 'A' })
    updateLive({ success: true, address: 'B' })
    updateLive({ success: false, address: 'C' })
    updateLive({ success: false, address: 'D' })
    setLive(['B', 'D', 'E'])
    expect($liveConnection.get()).toEqual({ success: ['B'], failure: ['D'] })
  })
})
