import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { preloadModules } from '../../../../scripts/lib/module-preload.ts'

describe('island modules', () => {
  let clientFolder = ''
  beforeEach(() => void (clientFolder = mkdtempSync(join(tmpdir(), 'porchlight-preload-'))))
  afterEach(() => rmSync(clientFolder, { recursive: true, force: true }))
  const writeClientFile = (name: string, text: string) => writeFileSync(join(clientFolder, name), text)

  const renderHead = (attributes = '', script = '') => {
    writeClientFile(
      'page.html',
      `<html><head></head><astro-island component-url="/Plan.1.js" renderer-url="/client.2.js"${attributes}>${script}`,
    )
    writeClientFile(
      'Plan.1.js',
      'import{a}from"./react.3.js";const parts=import("./page-chunk.4.js"),other=import("./later.7.js")',
    )
    writeClientFile('client.2.js', 'import{a}from"./react.3.js"')
    writeClientFile('video.9.js', '')
    writeClientFile('react.3.js', 'const load=()=>import("./wide-chunk.8.js")')
    writeClientFile('wide-chunk.8.js', 'import{a}from"./react.3.js"')
    writeClientFile('page-chunk.4.js', 'import{a}from"./react.3.js";import{b}from"./shop.5.js"')
    writeClientFile('shop.5.js', 'import"./money.6.js"')
    writeClientFile('money.6.js', '')
    writeClientFile('later.7.js', '')
    preloadModules(clientFolder)
    return /<head>(.*)<\/head>/s.exec(readFileSync(join(clientFolder, 'page.html'), 'utf8'))?.[1] ?? ''
  }

  test('are listed in the page head with all their imports', () => {
    const named = [...renderHead().matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, url]) => url)
    expect(named).toEqual(['/Plan.1.js', '/react.3.js', '/client.2.js'])
  })

  test('that wait for the video are listed for narrow windows, apart from the modules of the scripts', () => {
    const head = renderHead(
      ' opts="{&quot;value&quot;:&quot;pictures&quot;}"',
      '<script type="module" src="/video.9.js">',
    )
    expect(
      head
        .replace(/<meta.*/s, '')
        .match(/<link[^>]*>/g)
        ?.slice(1),
    ).toEqual([
      ...['/Plan.1.js', '/react.3.js', '/client.2.js'].map(
        (url) => `<link rel="modulepreload" media="(max-width: 767.98px)" href="${url}">`,
      ),
      '<link rel="modulepreload" href="/video.9.js">',
    ])
  })

  test('that only wide windows import are listed for wide windows, before all scripts', () => {
    expect(renderHead()).toMatch(/^<link rel="modulepreload" media="\(min-width: 768px\)" href="\/wide-chunk.8.js">/)
  })

  test('of dynamically imported parts are preloaded only for signed-in users', () => {
    const [, content = '', script = ''] =
      /<meta name="parts" content="(.*)"><script>(.*)<\/script>/s.exec(renderHead()) ?? []
    const listFetchedUrls = (cookie: string) => {
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
    expect(listFetchedUrls('signed_in=1; a=b')).toEqual(['/page-chunk.4.js', '/shop.5.js', '/money.6.js'])
    expect(listFetchedUrls('a=b')).toEqual([])
  })
})
