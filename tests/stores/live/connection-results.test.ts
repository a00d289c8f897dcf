import { beforeEach, describe, expect, it } from 'vitest'
import { toDevice } from '../../../src/stores/home/devices.ts'
import { collectDiagnostics } from '../../../src/stores/live/camera-diagnostics.ts'
import { watchPage } from '../../../src/stores/live/live-tiles.ts'
import { $liveConnection, resetLive, setLive, updateLive } from '../../../src/stores/live/connection-results.ts'

beforeEach(resetLive)

describe('which cameras connected and which failed', () => {
  it('LIVE-08 keeps a list of addresses that connected and one of those that failed', () => {
    expect($liveConnection.get()).toEqual({ success: [], failure: [] })
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'B' })
    expect($liveConnection.get()).toEqual({ success: ['A'], failure: ['B'] })
  })

  it('LIVE-09 takes a success flag and a device address', () => {
    updateLive({ success: false, address: 'A' })
    expect($liveConnection.get().failure).toEqual(['A'])
  })

  it('LIVE-10 a success adds the address once and takes it from the failures', () => {
    updateLive({ success: false, address: 'A' })
    updateLive({ success: true, address: 'A' })
    updateLive({ success: true, address: 'A' })
    expect($liveConnection.get()).toEqual({ success: ['A'], failure: [] })
  })

  it('LIVE-11 a failure adds the address once and takes it from the successes', () => {
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'A' })
    updateLive({ success: false, address: 'A' })
    expect($liveConnection.get()).toEqual({ success: [], failure: ['A'] })
  })

  it('LIVE-12 a reset empties both lists', () => {
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'B' })
    resetLive()
    expect($liveConnection.get()).toEqual({ success: [], failure: [] })
  })

  it('LIVE-12 a page that is left has neither', () => {
    const stop = watchPage()
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'B' })
    window.dispatchEvent(new Event('pagehide'))
    expect($liveConnection.get()).toEqual({ success: [], failure: [] })
    stop()
  })

  it('LIVE-08 the diagnostic file of a camera says in which list it is', () => {
    updateLive({ success: true, address: 'A' })
    updateLive({ success: false, address: 'B' })
    const connections = ['A', 'B', 'C'].map((device_id) => {
      const wire = { device_id, device_model: 'M', nickname: '', device_order: 0, role: 1, device_category: 'camera' }
      return (collectDiagnostics(toDevice(wire)) as { connection: string }).connection
    })
    expect(connections).toEqual(['connected', 'failed', 'none'])
  })

  it('LIVE-13 a set keeps only those still listed, in both lists', () => {
    updateLive({ success: true, address: 'A' })
    updateLive({ success: true, address: 'B' })
    updateLive({ success: false, address: 'C' })
    updateLive({ success: false, address: 'D' })
    setLive(['B', 'D', 'E'])
    expect($liveConnection.get()).toEqual({ success: ['B'], failure: ['D'] })
  })
})
