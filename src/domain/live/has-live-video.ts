/** Returns true if a device has live video; not every device of the camera category is a camera. */
export const hasLiveVideo = ({ p2p_providers }: { readonly p2p_providers: readonly string[] }): boolean =>
  p2p_providers.length > 0
