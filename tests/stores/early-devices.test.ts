import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { EARLY_ASK } from '../../src/boot/first/early-ask.ts'
import { EARLY_DEVICES } from '../../src/boot/first/early-devices.ts'

const homes = {
  code: 1,
  data: [
    { home_id: 'h-shared', role: 2, name: 'Theirs' },
    { home_id: 'h-mine', role: 1, name: 'Mine' },
  ],
}
const SIGNED_IN = 'signed_in=1; XSRF-TOKEN=a%2Bb'

interface Asked {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: unknown
}

/** Runs the inline script in a document with this cookie and storage, whose server answers the homes with `answer`. */
async function open(cookie: string, kept: Record<string, string>, answer = () => Response.json(homes)) {
  const asked: Asked[] = []
  const window: { early?: { homes?: Promise<Response>; devices?: Promise<Response> } } = {}
  runInNewContext(`${EARLY_ASK};${EARLY_DEVICES}`, {
    window,
    document: { cookie, documentElement: { dataset: { environment: 'preview' } } },
    localStorage: { getItem: (key: string) => kept[key] ?? null },
    fetch: (url: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
      const path = url.split('/').at(-1) ?? ''
      if (path !== 'me') asked.push({ path, headers, body: body && JSON.parse(body) })
      return Promise.resolve(path === 'home' ? answer() : Response.json({ code: 1 }))
    },
  })
  const [first, second] = await Promise.allSettled([window.early?.homes, window.early?.devices])
  return { asked, homes: first, devices: second }
}

describe('the list of cameras that the document asks for', () => {
  it('asks for the devices of the home of the last visit beside the homes', async () => {
    const { asked } = await open(SIGNED_IN, { web_app_token: '1.handle', home_id: 'h-known' })
    expect(asked.map(({ path }) => path)).toEqual(['home', 'get-home-devices'])
    expect(asked[1]).toMatchObject({
      headers: { 'web-app-token': '1.handle', 'X-XSRF-TOKEN': 'a+b' },
      body: { device_category: 'camera', env: 'preview', home_id: 'h-known' },
    })
  })

  it('asks for the devices of the primary home where none is known', async () => {
    const { asked, devices } = await open(SIGNED_IN, {})
    expect(asked[1]).toMatchObject({ path: 'get-home-devices', body: { home_id: 'h-mine' } })
    expect(devices.status).toBe('fulfilled')
  })

  it('takes nothing that was kept without a token: it may be another person’s', async () => {
    const { asked } = await open(SIGNED_IN, { home_id: 'h-known' })
    expect(asked[1]).toMatchObject({ body: { home_id: 'h-mine' } })
  })

  it('leaves the homes to the page to read, and the devices to ask for, when the homes are refused', async () => {
    const { asked, homes, devices } = await open(SIGNED_IN, {}, () => Response.json({ code: 401 }, { status: 401 }))
    expect(asked).toHaveLength(1)
    expect(homes).toMatchObject({ status: 'fulfilled', value: { status: 401, bodyUsed: false } })
    expect(devices.status).toBe('rejected')
  })

  it.each(['XSRF-TOKEN=x', 'signed_in=1', ''])('asks nothing for a visitor with the cookies "%s"', async (cookie) => {
    const { asked, homes } = await open(cookie, { web_app_token: '1.handle', home_id: 'h-known' })
    expect(asked).toEqual([])
    expect(homes).toMatchObject({ status: 'fulfilled', value: undefined })
  })
})
