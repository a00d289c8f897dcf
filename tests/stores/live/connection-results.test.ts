import { beforeEach, describe, expect, test } from 'vitest'
import { toDevice } from '../../../src/stores/home/devices.ts'
import { collectDiagnostics } from '../../../src/stores/live/camera-diagnostics.ts'
import { watchPageVisibility } from '../../../src/stores/live/live-tiles.ts'
import {
  $connectionResults,
  clearConnectionResults,
  retainConnectionResults,
  recordConnectionResult,
} from '../../../src/stores/live/connection-results.ts'

beforeEach(clearConnectionResults)

describe('connection results', () => {
  test('LIVE-08 keep one list of connected addresses and one of failed addresses', () => {
    expect($connectionResults.get()).toEqual({ success: [], failure: [] })
    recordConnectionResult({ success: true, address: 'A' })
    recordConnectionResult({ success: false, address: 'B' })
    expect($connectionResults.get()).toEqual({ success: ['A'], failure: ['B'] })
  })

  test('LIVE-09 take a success flag and a device address', () => {
    recordConnectionResult({ success: false, address: 'A' })
    expect($connectionResults.get().failure).toEqual(['A'])
  })

  test('LIVE-10 a success adds the address once and removes it from the failures', () => {
    recordConnectionResult({ success: false, address: 'A' })
    recordConnectionResult({ success: true, address: 'A' })
    recordConnectionResult({ success: true, address: 'A' })
    expect($connectionResults.get()).toEqual({ success: ['A'], failure: [] })
  })

  test('LIVE-11 a failure adds the address once and removes it from the successes', () => {
    recordConnectionResult({ success: true, address: 'A' })
    recordConnectionResult({ success: false, address: 'A' })
    recordConnectionResult({ success: false, address: 'A' })
    expect($connectionResults.get()).toEqual({ success: [], failure: ['A'] })
  })

  test('LIVE-12 a reset empties both lists', () => {
    recordConnectionResult({ success: true, address: 'A' })
    recordConnectionResult({ success: false, address: 'B' })
    clearConnectionResults()
    expect($connectionResults.get()).toEqual({ success: [], failure: [] })
  })

  test('LIVE-12 leaving the page empties both lists', () => {
    const stop = watchPageVisibility()
    recordConnectionResult({ success: true, address: 'A' })
    recordConnectionResult({ success: false, address: 'B' })
    window.dispatchEvent(new Event('pagehide'))
    expect($connectionResults.get()).toEqual({ success: [], failure: [] })
    stop()
  })

  test('LIVE-08 the diagnostic file of a camera states which list it is in', () => {
    recordConnectionResult({ success: true, address: 'A' })
    recordConnectionResult({ success: false, address: 'B' })
    const connections = ['A', 'B', 'C'].map((device_id) => {
      const wire = { device_id, device_model: 'M', nickname: '', device_order: 0, role: 1, device_category: 'camera' }
      return (collectDiagnostics(toDevice(wire)) as { connection: string }).connection
    })
    expect(connections).toEqual(['connected', 'failed', 'none'])
  })

  test('LIVE-13 a set keeps only addresses still listed, in both lists', () => {
    recordConnectionResult({ success: true, address: 'A' })
    recordConnectionResult({ success: true, address: 'B' })
    recordConnectionResult({ success: false, address: 'C' })
    recordConnectionResult({ success: false, address: 'D' })
    retainConnectionResults(['B', 'D', 'E'])
    expect($connectionResults.get()).toEqual({ success: ['B'], failure: ['D'] })
  })
})
