/** Whether a device can be watched live at all; one of the camera category need not be a camera. */
export const hasLivePicture = ({ p2p_providers }: { readonly p2p_providers: readonly string[] }): boolean =>
  p2p_providers.length > 0
