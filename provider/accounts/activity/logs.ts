export const userLog = (userId: string): string => `user:${userId}`
export const homeLog = (homeId: string): string => `home:${homeId}`
