/** Jurisdictions to which Cloudflare can restrict the data of a deployment (docs/operations.md, Data location). */
export const JURISDICTIONS = ['eu'] as const
type Jurisdiction = (typeof JURISDICTIONS)[number]

/** Returns true if `JURISDICTION` may have this value; `undefined` and '' mean no restriction. */
export const isJurisdictionSetting = (value: string | undefined): boolean =>
  value === undefined || value === '' || (JURISDICTIONS as readonly string[]).includes(value)

interface ObjectNamespace<N> {
  jurisdiction(jurisdiction: Jurisdiction): N
}

/**
 * Returns the namespace of Durable Objects in the deployment's jurisdiction. All code must use this namespace: an object
 * of a jurisdiction has another id than the object with the same name outside of it.
 */
export function restrictNamespace<N extends ObjectNamespace<N>>(namespace: N, jurisdiction: string | undefined): N {
  const restriction = JURISDICTIONS.find((name) => name === jurisdiction)
  return restriction === undefined ? namespace : namespace.jurisdiction(restriction)
}
