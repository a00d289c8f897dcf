import type { Fetcher } from '@cloudflare/workers-types'
import { Hono } from 'hono'
import { NOT_FOUND_PAGE, resolvePagePath } from '../../src/domain/navigation/pages.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'

/** Paths that the Worker answers itself, even without a matching route. */
const WORKER_PATHS = /^\/(api|m|t|healthz)(\/|$)/

/**
 * Serves URLs without a file: redirects a moved page, sends a page of the page table, or sends the generic page for
 * unknown URLs (ROUTE-22) with status 404. Keeps the headers of the documents.
 */
export const documentRoutes = new Hono<EdgeEnv>().get('*', async (c, next) => {
  const assets = c.env['ASSETS'] as Fetcher | undefined
  if (WORKER_PATHS.test(c.req.path) || !assets) return next()
  const pageResolution = resolvePagePath(c.req.path)
  if (pageResolution && 'go' in pageResolution) return c.redirect(pageResolution.go + new URL(c.req.url).search, 302)
  return serveDocument(c, assets, pageResolution?.serve ?? null)
})

async function serveDocument(c: EdgeContext, assets: Fetcher, page: string | null): Promise<Response> {
  const headers = new Headers(c.req.raw.headers)
  // A 404 page must be sent in full, so conditional and range headers are removed.
  if (page === null) for (const name of ['if-none-match', 'if-modified-since', 'range']) headers.delete(name)
  const url = new URL(page ?? NOT_FOUND_PAGE.path, c.req.url)
  const response = (await assets.fetch(url.href, {
    method: c.req.method,
    headers: [...headers],
  })) as unknown as Response
  return new Response(response.body, { status: page === null ? 404 : response.status, headers: response.headers })
}
