/** Whether `verify` throws nothing; false when what it throws says `refusal`, and thrown on otherwise. */
export async function holds(refusal, verify) {
  try {
    await verify();
  } catch (error) {
    if (refusal.test(error.message)) return false;
    throw error;
  }
  return true;
}
