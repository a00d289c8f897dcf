/**
 * Program that writes the same numbers, in this order, to a Durable Object, to D1 and to another Durable Object, until
 * it is stopped. Its storage has the layout of a data folder's `state/provider/v3`. Prints each number that it has
 * written everywhere.
 */
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const SCRIPT = `
import { DurableObject } from 'cloudflare:workers'
class Numbers extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env)
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY, filler TEXT)')
  }
  write(n) {
    this.ctx.storage.sql.exec('INSERT OR IGNORE INTO numbers VALUES (?, ?)', n, 'x'.repeat(500))
  }
}
export class First extends Numbers {}
export class Last extends Numbers {}
export default {
  async fetch(request, env) {
    const n = Number(new URL(request.url).searchParams.get('n'))
    await env.DB.prepare('CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY)').run()
    await env.FIRST.getByName('x').write(n)
    await env.DB.prepare('INSERT OR IGNORE INTO numbers VALUES (?)').bind(n).run()
    await env.LAST.getByName('x').write(n)
    return new Response('ok')
  },
}`

const [stateFolder = ''] = process.argv.slice(2)
const worker = new Miniflare(
  convertV4MiniflareOptions({
    name: 'pairs',
    modules: true,
    script: SCRIPT,
    compatibilityDate: '2026-10-01',
    resourcePersistencePath: stateFolder,
    d1Databases: ['DB'],
    durableObjects: {
      FIRST: { className: 'First', useSQLite: true },
      LAST: { className: 'Last', useSQLite: true },
    },
  }),
)
await worker.ready
for (let n = 1; ; n += 1) {
  await worker.dispatchFetch(`http://pairs/?n=${n}`)
  console.log(n)
}
