import { describe, expect, test } from 'vitest'
import { fillPath } from '../../../../contract/wire/call.ts'
import { CALLS, GATEWAY_CALLS } from '../../../../contract/all-calls.ts'
import { findCall } from '../../../../functions/lib/proxy/find-call.ts'

const fillPlaceholders = (path: string) =>
  fillPath(path, Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'id_1-A'])))

describe('the gateway', () => {
  test.each(GATEWAY_CALLS.map((call) => [call.ledger, call] as const))(
    'forwards the call of row %s, by group, method and path',
    (_, call) => {
      expect(findCall(call.group, call.method, fillPlaceholders(call.path))?.call).toBe(call)
    },
  )

  test('forwards no call that the browser may not make', () => {
    const hidden = CALLS.filter((call) => call.via !== 'gateway' || call.request === null)
    const open = hidden.filter(({ group, method, path }) => findCall(group, method, fillPlaceholders(path)) !== null)
    expect(hidden.length).toBeGreaterThan(0)
    expect(open).toEqual([])
  })

  test('TOKEN-09 forwards no group that is not in the table, whatever its name', () => {
    for (const group of ['evil.test', 'https:', '__proto__', 'constructor', 'Device', '']) {
      expect(findCall(group, 'GET', '/app/v4/home')).toBeNull()
    }
  })

  test('forwards no other method, group or path', () => {
    expect(findCall('new-device', 'DELETE', '/app/v4/home')).toBeNull()
    expect(findCall('v4-event', 'GET', '/app/v4/home')).toBeNull()
    for (const path of ['/app/v4/home/', '/app/v4/home/x', '//app/v4/home', '/APP/v4/home', '/app/v4/homes', '']) {
      expect(findCall('new-device', 'GET', path)).toBeNull()
    }
  })

  test('forwards the value of a placeholder, unless it could be read as another path', () => {
    const path = (value: string) => `/api/v2/subscriptions/${value}`
    expect(findCall('web-backend', 'POST', path('u_1-A'))?.params).toEqual({ uuid: 'u_1-A' })
    for (const value of ['', '..', 'a%2fb', 'a.b', 'a/b', 'a b', 'ä', 'x'.repeat(65)]) {
      expect(findCall('web-backend', 'POST', path(value))).toBeNull()
    }
  })
})
