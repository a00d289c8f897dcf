import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { preloadModules } from '../../../../scripts/lib/module-preload.ts'

describe('island modules', () => {
  let client = ''
  beforeEach(() => void (client = mkdtempSync(join(tmpdir(), 'porchlight-preload-'))))
  afterEach(() => rmSync(client, { recursive: true, force: true }))
  const put = (name: string, text: string) => writeFileSync(join(client, name), text)

  /**
   * Writes a page with an island that imports its parts dynamically, adds the preload links, and returns the page's
   * head.
   */
  const renderHead = () => {
    put('page.html', '<html><head></head><astro-island component-url="/Plan.1.js" renderer-url="/client.2.js">')
    put('Plan.1.js', 'import{a}from"./react.3.js";const parts=import("./page-chunk.4.js"),other=import("./later.7.js")')
    put('client.2.js', 'import{a}from"./react.3.js"')
    put('react.3.js', '')
    put('page-chunk.4.js', 'import{a}from"./react.3.js";import{b}from"./shop.5.js"')
    put('shop.5.js', 'import"./money.6.js"')
    put('money.6.js', '')
    put('later.7.js', '')
    preloadModules(client)
    return /<head>(.*)<\/head>/s.exec(readFileSync(join(client, 'page.html'), 'utf8'))?.[1] ?? ''
  }

  test('are listed in the page head with all their imports', () => {
    const named = [...renderHead().matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, url]) => url)
    expect(named).toEqual(['/Plan.1.js', '/react.3.js', '/client.2.js'])
  })

  test('of dynamically imported parts are preloaded only for signed-in users', () => {
    const [, content = '', script = ''] =
      /<meta name="parts" content="(.*)"><script>(.*)<\/script>/s.exec(renderHead()) ?? []
    const fetchedWith = (cookie: string) => {
      const fetched: string[] = []
      const page = {
        cookie,
        querySelector: () => ({ content }),
        createElement: () => ({}),
        head: { append: ({ href }: { href: string }) => void fetched.push(href) },
      }
      new Function('document', script)(page)
      return fetched
    }
    expect(fetchedWith('signed_in=1; a=b')).toEqual(['/page-chunk.4.js', '/shop.5.js', '/money.6.js'])
    expect(fetchedWith('a=b')).toEqual([])
  })
})
