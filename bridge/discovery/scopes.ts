const SCOPES_MAX = 64

/**
 * Reads name and type from ONVIF scopes (Core §7.3.2.2). `type` joins the scopes that can contain the brand. Both are
 * sanitized, because device names are untrusted.
 */
export function readScopes(scopes: string): { name: string; type: string } {
  const items = scopes.split(/\s+/, SCOPES_MAX)
  const read = (kind: string) => {
    const prefix = `onvif://www.onvif.org/${kind}/`
    return sanitize(items.find((item) => item.toLowerCase().startsWith(prefix))?.slice(prefix.length) ?? '')
  }
  const name = read('name')
  return { name, type: [name, read('hardware'), read('manufacturer'), read('mfr')].join(' ').trim() }
}

/** Keeps letters, digits and common punctuation, at most 60 characters. */
function sanitize(scope: string): string {
  try {
    return decodeURIComponent(scope)
      .replaceAll(/[^\p{L}\p{N} ._()-]+/gu, ' ')
      .trim()
      .slice(0, 60)
  } catch {
    return ''
  }
}
