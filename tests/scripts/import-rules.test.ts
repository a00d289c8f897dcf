import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ESLint } from 'eslint'
import { describe, expect, test } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const eslint = new ESLint({ cwd: root })

/** Returns a TypeScript file of the folder. `directly` excludes its subfolders. */
function findFileIn(folder: string, directly = false): string {
  const names = readdirSync(join(root, folder), { recursive: !directly, encoding: 'utf8' }).sort()
  const found = names.find((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
  if (found === undefined) throw new Error(`${folder} contains no TypeScript file.`)
  return join(folder, found)
}

async function listViolations(file: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath: join(root, file) })
  return (result?.messages ?? [])
    .map(({ ruleId }) => ruleId ?? 'a broken file')
    .filter((rule) => /boundaries|restricted|broken/.test(rule))
}

function buildImportCode(from: string, to: string): string {
  const path = relative(join(from, '..'), to)
  return `import * as other from '${path.startsWith('.') ? path : `./${path}`}'\nconsole.log(other)\n`
}

const ISLANDS = readdirSync(join(root, 'src/islands'))
  .filter((name) => !name.includes('.'))
  .map((name) => `src/islands/${name}`)
const [anIsland = '', anotherIsland = ''] = ISLANDS

describe('the lint report of forbidden imports', () => {
  test.each([
    [anIsland, 'src/api'],
    [anIsland, anotherIsland],
    ['src/ui', 'src/stores'],
    ['src/stores', 'src/islands'],
    ['src/domain', 'src/stores'],
    ['src/api', 'src/stores'],
    ['src/services', 'src/domain'],
    ['src/media', 'src/api'],
    ['contract', 'src/domain'],
    ['functions', 'provider'],
    ['provider', 'functions'],
    ['provider', 'src/domain'],
    ['bridge', 'provider'],
    ['scenes', 'bridge'],
    ['scripts', 'bridge'],
  ])('%s may not import %s', async (from, to) => {
    const file = findFileIn(from)
    expect(await listViolations(file, buildImportCode(file, findFileIn(to)))).toEqual(['boundaries/dependencies'])
  })

  test.each(['provider', 'functions', 'bridge', 'contract', 'scripts'])(
    'includes imports from a file directly in %s',
    async (from) => {
      const file = findFileIn(from, true)
      expect(await listViolations(file, buildImportCode(file, findFileIn('src/stores')))).toEqual([
        'boundaries/dependencies',
      ])
    },
  )

  test.each(['provider', 'functions', 'bridge'])('includes imports of a file directly in %s', async (to) => {
    const file = findFileIn('src/ui')
    expect(await listViolations(file, buildImportCode(file, findFileIn(to, true)))).toEqual(['boundaries/dependencies'])
  })
})

describe('allowed imports without a lint report', () => {
  test.each([
    [anIsland, 'src/stores'],
    [anIsland, 'src/ui'],
    ['src/stores', 'src/api'],
    ['src/domain', 'contract'],
    ['functions', 'src/domain'],
    ['provider', 'contract'],
    ['bridge', 'contract'],
    ['tests/unit', 'provider'],
  ])('%s may import %s', async (from, to) => {
    const file = findFileIn(from)
    expect(await listViolations(file, buildImportCode(file, findFileIn(to)))).toEqual([])
  })
})

test.each([
  ['calls fetch directly', "await fetch('/api/p/x')\n"],
  ['uses localStorage directly', "localStorage.setItem('a', '1')\n"],
])('an island that %s is reported', async (_, text) => {
  expect(await listViolations(findFileIn(anIsland), `${text}export {}\n`)).toEqual(['no-restricted-globals'])
})

describe.each(['functions', 'provider'])('request and response bodies in %s', (folder) => {
  const listViolationsHere = (text: string) =>
    listViolations(findFileIn(folder), `declare const c: any, request: any, object: any, app: any\n${text}\n`)

  test.each([
    'console.log(await c.req.json())',
    'console.log(await c.req.parseBody())',
    'console.log(await request.text())',
    'console.log(await request.formData())',
    'console.log(await c.req.raw.arrayBuffer())',
    'console.log(await (await fetch("https://a.example")).blob())',
    'console.log(request.body)',
    'console.log(c.req.raw.body)',
    'const { body } = c.req.raw\nconsole.log(body)',
    'console.log(object.stream.getReader())',
    'for await (const part of object.stream) console.log(part)',
  ])('may be read only through the one shared reader: %s', async (text) => {
    expect(new Set(await listViolationsHere(text))).toEqual(new Set(['no-restricted-syntax']))
  })

  test.each([
    "app.get('/', () => c.json({ code: 200 }))",
    "console.log(c.text('yes'), Response.json({}), c.body(null, 204))",
    'console.log(object.body)',
    'for (const part of object.parts) console.log(part)',
  ])('may be sent as usual: %s', async (text) => {
    expect(await listViolationsHere(text)).toEqual([])
  })
})

describe('code in bridge', () => {
  const listViolationsHere = (text: string) =>
    listViolations(findFileIn('bridge'), `declare const answer: any, text: string\n${text}\nexport {}\n`)

  test.each([
    'console.log(await answer.text())',
    'console.log(await answer.json())',
    'console.log(await answer.arrayBuffer())',
    'for await (const part of answer.body) console.log(part)',
    "import { readFile } from 'node:fs/promises'\nconsole.log(readFile)",
    "import { text as whole } from 'node:stream/consumers'\nconsole.log(whole)",
  ])('may not read anything without a limit: %s', async (code) => {
    expect(await listViolationsHere(code)).toEqual(['no-restricted-syntax'])
  })

  test.each([
    String.raw`/<a>([\s\S]*?)<\/a>/`,
    String.raw`/SDP:(.*)end/`,
    String.raw`/\S+@/`,
    String.raw`/(?:[a-z]+)*:/`,
    String.raw`/(?:x{2,}y)+/`,
    String.raw`/\s+$/`,
    "new RegExp('<' + text + '>')",
  ])('may not use a pattern whose work can grow with the square of a text: %s', async (pattern) => {
    expect(new Set(await listViolationsHere(`console.log(${pattern})`))).toEqual(new Set(['no-restricted-syntax']))
  })

  test.each([
    String.raw`/^Date: *(.+)$/im`,
    String.raw`/[^\w]+/g`,
    String.raw`/^[\w-]+(\.[\w-]+)+$/`,
    String.raw`/a.{0,200}b/`,
    String.raw`/a\.*\+?b/`,
  ])('may use a pattern whose work is bounded: %s', async (pattern) => {
    expect(await listViolationsHere(`console.log(${pattern}.test(text))`)).toEqual([])
  })
})
