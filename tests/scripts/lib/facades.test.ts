import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { minifySync } from 'vite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  parseFacade,
  removeEntryFacades,
  replaceFacadeImports,
  replaceRuntimeImports,
} from '../../../scripts/lib/facades.ts'
import { cutMappings, cutText } from '../../../scripts/lib/map-cuts.ts'

test('a chunk with code of its own is no facade', () => {
  expect(parseFacade('import{a}from"./b.js";a();export{a as start};')).toBeNull()
  expect(parseFacade('export{a as start}from"./b.js";export{c}from"./d.js";')).toBeNull()
})

describe('an import of a facade', () => {
  const facades = new Map([
    ['./later.1.js', parseFacade('export{r as showScreen,t}from"./base.2.js";') ?? expect.fail()],
    ['./effects.3.js', parseFacade('import"./base.2.js";') ?? expect.fail()],
  ])

  test('names the chunk with the module, and returns the same names', () => {
    const code = 'load(()=>import(`./later.1.js`));load(()=>import(`./effects.3.js`),import(`./other.4.js`))'
    expect(cutText(code, replaceFacadeImports(code, facades))).toBe(
      'load(()=>import(`./base.2.js`).then(e=>({showScreen:e.r,t:e.t})));load(()=>import(`./base.2.js`),import(`./other.4.js`))',
    )
  })

  test('has a map that still points to the right column behind it', () => {
    const source = 'export const one = () => import("./later.1.js")\nexport const three = "three"\n'
    const { code, map } = minifySync('in.ts', source, { module: true, sourcemap: true })
    const cuts = replaceFacadeImports(code, facades)
    expect(cuts).toHaveLength(1)
    const changedCode = cutText(code, cuts)
    const mappings = cutMappings(map?.mappings ?? '', cuts)
    const fields = { file: '', version: 3, sources: ['in.ts'], sourcesContent: [], names: [], sourceRoot: '' }
    const column = changedCode.indexOf('`three`')
    expect(new SourceMap({ ...fields, mappings }).findEntry(0, column)).toMatchObject({
      originalLine: 1,
      originalColumn: source.split('\n')[1]?.indexOf('"three"'),
    })
  })
})

test('a chunk that needs only the CommonJS helper of the runtime contains a copy of it', () => {
  const helper = '(e,t)=>()=>(t||(e((t={exports:{}}).exports,t,t.exports),e=null),t.exports)'
  const runtime = `var e=Object.create,o=${helper},c=(n,r)=>e(n);export{c as n,o as t};`
  const code = 'import{t as x}from"./rolldown-runtime.1.js";var y=x((e,t)=>{t.exports=1})'
  expect(cutText(code, replaceRuntimeImports(code, runtime))).toBe(`var x=${helper};var y=x((e,t)=>{t.exports=1})`)
  expect(replaceRuntimeImports('import{n as x}from"./rolldown-runtime.1.js";', runtime)).toEqual([])
  expect(replaceRuntimeImports('import{n as e,t}from"./rolldown-runtime.1.js";', runtime)).toEqual([])
})

describe('documents', () => {
  let client = ''
  beforeEach(() => {
    client = mkdtempSync(join(tmpdir(), 'porchlight-facades-'))
    mkdirSync(join(client, '_astro'))
  })
  afterEach(() => rmSync(client, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFileSync(join(client, name), text)

  test('name the chunk of an island instead of its facade', async () => {
    write('page.html', '<astro-island component-url="/_astro/Live.1.js" renderer-url="/_astro/client.2.js">')
    write('_astro/Live.1.js', 'export{t as default}from"./Live.3.mjs.js";')
    write('_astro/client.2.js', 'export default 1')
    write('_astro/Live.3.mjs.js', 'var a="island",b=2;export{b,a as t};')
    removeEntryFacades(client)
    expect(readFileSync(join(client, 'page.html'), 'utf8')).toBe(
      '<astro-island component-url="/_astro/Live.3.mjs.js" renderer-url="/_astro/client.2.js">',
    )
    expect(existsSync(join(client, '_astro/Live.1.js'))).toBe(false)
    write('_astro/package.json', '{"type":"module"}')
    const chunk = (await import(pathToFileURL(join(client, '_astro/Live.3.mjs.js')).href)) as Record<string, unknown>
    expect(chunk).toMatchObject({ default: 'island', t: 'island', b: 2 })
  })

  test('keep a facade that another script imports', () => {
    write('page.html', '<astro-island component-url="/_astro/Live.1.js">')
    write('_astro/Live.1.js', 'export{t as default}from"./parts.3.js";')
    write('_astro/parts.3.js', 'var a=1;export{a as t};')
    write('_astro/other.4.js', 'import l from"./Live.1.js"')
    removeEntryFacades(client)
    expect(readFileSync(join(client, 'page.html'), 'utf8')).toContain('/_astro/Live.1.js')
    expect(existsSync(join(client, '_astro/Live.1.js'))).toBe(true)
  })
})
