/** Whether `verify` throws nothing; false when what it throws says `rejection`, and thrown on otherwise. */
export async function holds(rejection, verify) {
  try {
    await verify();
  } catch (error) {
    if (rejection.test(error.message)) return false;
    throw error;
  }
  return true;
}
