import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { RESPONSE_BODY_BYTES_MAX, readText } from '../../../contract/wire/body-limits.ts'
import {
  experimentFlags,
  experimentVariants,
  VARIANTS,
  type Variant,
} from '../../../contract/telemetry/telemetry-calls.ts'
import { fromBase64Url } from '../byte-encoding.ts'
import type { Settings } from '../settings.ts'
import { parseJson } from '../parse-json.ts'
import { SINK_TIMEOUT_MS } from './send-to-sink.ts'

const id = v.optional(v.fallback(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)), ''), '')
const experimentUser = v.object({ user_id: id, device_id: id })
/** Visitor ids of an experiment request; '' if unknown. Other data that the library sends is ignored. */
export type WireExperimentUser = v.InferOutput<typeof experimentUser>

/** Parses the header `x-amp-exp-user` (base64url of JSON). A missing or malformed id becomes ''. */
export function parseExperimentUser(header: string | undefined): WireExperimentUser {
  const bytes = fromBase64Url((header ?? '').replace(/=+$/, ''))
  const parsed = v.safeParse(experimentUser, bytes && parseJson(new TextDecoder().decode(bytes)))
  return parsed.success ? parsed.output : { user_id: '', device_id: '' }
}

/**
 * Returns the variant of a visitor; null without an experiment or visitor. A hash of the account id or, without an
 * account, of the device id determines the variant, so that the same id always gets the same variant. Each variant gets
 * half of all ids.
 */
export function assignVariant(experiment: string, { user_id, device_id }: WireExperimentUser): Variant | null {
  const visitorId = user_id || device_id
  if (experiment === '' || visitorId === '') return null
  const digest = createHash('sha256').update(`${experiment}\n${visitorId}`).digest()
  return VARIANTS[digest.readUInt8(0) % VARIANTS.length] ?? null
}

export function buildVariants(experiment: string, visitor: WireExperimentUser): Record<string, unknown> {
  const key = assignVariant(experiment, visitor)
  return key === null ? {} : { [experiment]: { key, value: key, metadata: { experimentKey: experiment } } }
}

/**
 * Returns the flags in the library's format. They do not contain the visitor's variant; the library fetches it from
 * `vardata`.
 */
export function buildFlags(experiment: string): unknown[] {
  if (experiment === '') return []
  const variants = Object.fromEntries(VARIANTS.map((key) => [key, { key, value: key }]))
  return [
    {
      key: experiment,
      variants: { ...variants, off: { key: 'off', metadata: { default: true } } },
      segments: [{ variant: 'off', metadata: { segmentName: 'default' } }],
      metadata: { evaluationMode: 'remote', flagType: 'experiment', deployed: true },
    },
  ]
}

type ExperimentResource = 'flags' | 'vardata'
const RESPONSE_SCHEMAS = { flags: experimentFlags.response, vardata: experimentVariants.response } as const

/**
 * Returns the response of the service at `EXPERIMENT_ENDPOINT`. Sends the visitor's ids for `vardata`, and no other
 * data of the visitor. Logs a failure in one line and returns an empty value, which means no experiment.
 */
export async function fetchExperiment(
  { endpoint, key }: NonNullable<Settings['experiment']>,
  resource: ExperimentResource,
  visitor: WireExperimentUser,
): Promise<unknown> {
  try {
    const response = await fetch(`${endpoint}/sdk/v2/${resource}?v=0`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(SINK_TIMEOUT_MS),
      headers: {
        authorization: `Api-Key ${key}`,
        ...(resource === 'vardata' && { 'x-amp-exp-user': encodeExperimentUser(visitor) }),
      },
    })
    if (!response.ok) throw new Error(`The service responded with ${response.status}.`)
    return v.parse(RESPONSE_SCHEMAS[resource], parseJson(await readText(response, RESPONSE_BODY_BYTES_MAX.oauth)))
  } catch {
    console.error('The experiment service failed or didn’t respond.')
    return resource === 'flags' ? [] : {}
  }
}

function encodeExperimentUser({ user_id, device_id }: WireExperimentUser): string {
  const ids = { ...(user_id !== '' && { user_id }), ...(device_id !== '' && { device_id }) }
  return Buffer.from(JSON.stringify(ids)).toString('base64url')
}
