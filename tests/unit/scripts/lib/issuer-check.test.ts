import { afterAll, describe, expect, test, vi } from 'vitest'
import { findIssuerProblem } from '../../../../scripts/lib/issuer-check.ts'
import { createIssuerEnvironment, readIssuerSettings, completeTestSignIn } from '../../../support/issuer-visit.ts'
import { closeScriptedIssuers, openScriptedIssuer, type IssuerScript } from '../../../support/scripted-issuer.ts'

afterAll(closeScriptedIssuers)

describe('misconfigured issuer', () => {
  /** Returns the startup error, and asserts that the portal logs the same sentence. */
  async function readProblem(issuer: string): Promise<string> {
    const problem = (await findIssuerProblem(createIssuerEnvironment(issuer))) ?? 'none'
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await expect(completeTestSignIn(readIssuerSettings(issuer))).rejects.toThrow()
    expect(log.mock.calls).toEqual([[problem]])
    log.mockRestore()
    return problem
  }

  test('with a wrong trailing slash is reported in both spellings', async () => {
    const { issuer } = await openScriptedIssuer({ path: '/application/o/p', formatIssuer: (url) => `${url}/` })
    expect(await readProblem(issuer)).toMatch(
      new RegExp(`^No one can log in through ${issuer}: .* of ${issuer} .*OIDC_ISSUER=${issuer}/\\.$`),
    )
  })

  test.each<[title: string, script: IssuerScript, wrong: string, reason: RegExp]>([
    ['path', {}, '/realms/hom', /status 404/],
    ['content type', { discovery: { body: '<html>', headers: { 'content-type': 'text/html' } } }, '', /isn’t JSON/],
    ['redirect', { discovery: { status: 301, headers: { location: '/o/' }, body: '' } }, '', /status 301/],
    ['JSON syntax', { discovery: { body: '{', headers: { 'content-type': 'application/json' } } }, '', /JSON/],
    ['discovery document', { discovery: { body: {} } }, '', /issuer/],
  ])('with a wrong %s is reported with the reason', async (_, script, wrong, reason) => {
    const { issuer } = await openScriptedIssuer(script)
    expect(await readProblem(issuer + wrong)).toMatch(reason)
  })

  test('is reported if nothing listens there, and if it is http on another machine', async () => {
    const { issuer, close } = await openScriptedIssuer()
    await close()
    expect(await readProblem(issuer)).toMatch(/ECONNREFUSED/)
    expect(await readProblem('http://id.company.example')).toMatch(/https/)
  })

  test('is not checked if the portal’s own provider handles sign-in', async () => {
    expect(await findIssuerProblem(createIssuerEnvironment('http://127.0.0.1:8788'))).toBeNull()
  })
})
